// SQL that hides values in texts (docs/decisions/0089, 0140).
import type { MaskTarget } from '../../../../schemas/masking/mask-rule.ts'
import {
  anyName,
  columnNameExpression,
  type HiddenNames,
  hiddenNames,
  hiddenPaths,
  memberExpressions,
} from '../../../../schemas/masking/name-expressions.ts'
import {
  ASCII_ESCAPE,
  besideEscape,
  PLAIN_ESCAPES,
  valueExpression,
} from '../../../../schemas/masking/value-expressions.ts'
import { HIDDEN } from '../../../../schemas/masking/view-masks.ts'
import type { SqlParams } from '../sql-params.ts'

export type TextHiding = {
  /** A condition: the column of this name is hidden as a whole. */
  isHiddenName(name: string): string
  /** An array of texts, as they are shown. `names`: of their columns, as many. */
  hideAll(texts: string, names: string): string
  /** One text of a column that is not hidden as a whole. */
  hide(text: string, name: string): string
  /** What detectors and patterns find is hidden. */
  detect(text: string): string
}

export function makeTextHiding(targets: readonly MaskTarget[], params: SqlParams): TextHiding {
  const hidden = params.text(HIDDEN)
  const paths = hiddenPaths(targets)
  const expression = valueExpression(targets)
  const isHiddenName = (name: string) =>
    paths.length === 0 ? '0' : `match(${name}, ${params.text(columnNameExpression(paths))})`
  const detect = (text: string) =>
    expression === undefined ? text : detectSql(text, expression, params)
  const members = hiddenNames(paths)
  // One step a lambda: no text is worked out twice.
  const inTexts = (texts: string, names: string) => {
    const cut = members.reduce(
      (list, group) => `arrayMap((text, name) -> ${membersSql(group, params)}, ${list}, ${names})`,
      texts,
    )
    return expression === undefined ? cut : `arrayMap(text -> ${detect('text')}, ${cut})`
  }
  return {
    isHiddenName,
    hideAll: (texts, names) =>
      inTexts(
        paths.length === 0
          ? texts
          : `arrayMap((text, name) -> if(${isHiddenName('name')}, ${hidden}, text), ${texts}, ${names})`,
        names,
      ),
    hide: (text, name) => `${inTexts(`[${text}]`, `[${name}]`)}[1]`,
    detect,
  }
}

/** `text` and `name`: the text of a column with this name. */
function membersSql({ before, last }: HiddenNames, params: SqlParams): string {
  const { member, left } = memberExpressions(last)
  const hidden = params.text(HIDDEN)
  const mayHave = [
    `position(text, '"') > 0`,
    ...before.map((it) => `match(concat(name, ' ', text), ${params.text(anyName(it))})`),
  ]
  const cut = (by: string) => `replaceRegexpAll(text, ${params.text(member)}, ${params.text(by)})`
  return `multiIf(NOT (${mayHave.join(' AND ')}), text, match(${cut('\\2')}, ${params.text(left)}), ${hidden}, ${cut(`\\1"${HIDDEN}"\\2`)})`
}

function detectSql(text: string, expression: string, params: SqlParams): string {
  const found = params.text(expression)
  const cut = `replaceRegexpAll(${text}, ${found}, ${params.text(HIDDEN)})`
  const rest = `replaceRegexpAll(${text}, ${found}, ' ')`
  const plain = PLAIN_ESCAPES.reduce(
    (sql, [written, by]) => `replaceRegexpAll(${sql}, ${params.text(written)}, ${params.text(by)})`,
    rest,
  )
  const isWritten = [
    `match(${text}, ${params.text(ASCII_ESCAPE)})`,
    `match(${text}, ${params.text(besideEscape(expression))})`,
    `match(${plain}, ${found})`,
  ].join(' OR ')
  return `multiIf(position(${text}, '\\\\') = 0, ${cut}, ${isWritten}, ${params.text(HIDDEN)}, ${cut})`
}
