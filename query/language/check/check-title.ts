// A title of several words that has swallowed what comes after it: `count as errors last host`.
import { parseTimeUnit } from '../../../schemas/time/time-unit.ts'
import type { ColumnNames } from '../column-names.ts'
import { nearestWord } from '../nearest-word.ts'
import { FORMAT_TYPES } from '../parse/read-format.ts'
import { STAGE_WORDS } from '../stages/all-stages.ts'
import type { Span, Stage } from '../tree.ts'
import type { Edit } from './edit.ts'
import type { Findings } from './findings.ts'

/** Words of titles, too: `Errors by last`. */
const COMMON = new Set(['time', 'start', 'end', 'first', 'last', 'values', 'count', 'limit'])

/** `text`: of the whole query. */
export function checkTitles(
  stage: Stage,
  text: string,
  names: ColumnNames,
  findings: Findings,
): void {
  for (const { alias, start, end } of titled(stage)) {
    if (alias === null || text.slice(start, end).includes(`"${alias}"`)) continue
    const words = alias.split(' ')
    const broken = brokenEnd(words)
    if (broken !== undefined) {
      const message = `the title is '${alias}': perhaps ${broken.write} was meant, else "${alias}"`
      const edit = brokenEdit(text, { start, end }, words, broken)
      findings.warn('query.long_title', message, start, edit)
      continue
    }
    const at = words.findIndex(
      (word, index) => index > 0 && begins(word, words.slice(index + 1), names),
    )
    if (at < 0) continue
    const mark = STAGE_WORDS.includes(words[at]?.toLowerCase() ?? '') ? 'a comma or |' : 'a comma'
    const place = words[at]?.toLowerCase() === 'as' ? 'in it' : `before '${words[at]}'`
    const message = `the title is '${alias}': if ${mark} is missing ${place}, write it, else "${alias}"`
    findings.warn('query.long_title', message, start, commaEdit(text, { start, end }, words, at))
  }
}

/** Before the word at `at` of the title, which ends what is written. */
function commaEdit(
  text: string,
  { start, end }: Span,
  words: readonly string[],
  at: number,
): Edit | undefined {
  const after = words.slice(at).join(' ')
  const place = text.slice(start, end).lastIndexOf(` ${after}`)
  return place < 0 ? undefined : { start: start + place, end: start + place, text: ',' }
}

function brokenEdit(
  text: string,
  { start, end }: Span,
  words: readonly string[],
  { at, count, write }: Broken,
): Edit | undefined {
  const place = text.slice(start, end).lastIndexOf(` ${words.slice(at).join(' ')}`)
  if (place < 0) return undefined
  const from = start + place + 1
  return { start: from, end: from + words.slice(at, at + count).join(' ').length, text: write }
}

function begins(word: string, after: readonly string[], names: ColumnNames): boolean {
  const folded = word.toLowerCase()
  if (folded === 'as') return true
  if (!STAGE_WORDS.includes(folded)) return false
  if (!COMMON.has(folded)) return true
  const [next = ''] = after
  if (folded === 'limit' && /^\d+$/.test(next)) return true
  return after.some((_, last) => isColumn(after.slice(0, last + 1).join(' '), names))
}

function isColumn(name: string, names: ColumnNames): boolean {
  return names.has(name.replace(/^(?:column|event)\./i, ''))
}

/** `K2 rnterval 1 hour`, `D2 n number format`: what was meant in place of `count` words from `at`
 *  on. */
type Broken = { readonly at: number; readonly count: number; readonly write: string }

function brokenEnd(words: readonly string[]): Broken | undefined {
  for (let at = 1; at < words.length; at += 1) {
    const [word = '', second = '', third] = words.slice(at).map((each) => each.toLowerCase())
    if (word.length > 5 && nearestWord(word, ['interval']) !== undefined && isLength(second))
      return { at, count: 1, write: 'interval' }
    if (!FORMAT_TYPES.includes(second)) continue
    const count = third === undefined ? 2 : 3
    if (isFormatMeant(word, second, third)) return { at, count, write: `in ${second} format` }
  }
  return undefined
}

function isLength(word: string): boolean {
  return /^\d+[a-z]*$/.test(word) || parseTimeUnit(word) !== undefined
}

function isFormatMeant(word: string, type: string, last: string | undefined): boolean {
  if (last === 'format') return word.length <= 3 && nearestWord(word, ['in']) !== undefined
  if (word !== 'in') return false
  // `Growth in time` is a title.
  if (last === undefined) return !['time', 'volume', 'date'].includes(type)
  return nearestWord(last, ['format']) !== undefined
}

function titled(stage: Stage): readonly (Span & { readonly alias: string | null })[] {
  switch (stage.kind) {
    case 'functions':
      return stage.functions
    case 'groupBy':
      return stage.keys
    case 'list':
      return stage.items
    case 'display':
      return stage.items
    case 'round':
    case 'replace':
      return [stage]
    default:
      return []
  }
}
