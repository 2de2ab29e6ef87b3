// The events as somebody sees them from whom policies hide values (docs/decisions/0089): a
// sub-select in the place of the table, in which the values are hidden already. Whatever a query
// tests, groups, sorts by, counts or shows, it has no others: a value that is hidden answers
// nothing, and takes as long as one that is not there. The JSON column is empty and the index of
// words is not there, so that what still asked for them would fail or find nothing.
import { END_OF_NAME, WHOLE_LAYOUT } from '../../../../schemas/event-layout.ts'
import type { MaskTarget } from '../../../../schemas/masking/mask-rule.ts'
import { valueExpression } from '../../../../schemas/masking/value-expressions.ts'
import { HIDDEN } from '../../../../schemas/masking/view-masks.ts'
import {
  ID_VALUES_SQL,
  OTHER_ESCAPE,
  OTHER_NAME_END,
  REST_SEPARATOR,
} from '../../../../schemas/shown-columns.ts'
import type { SqlParams } from '../sql-params.ts'

/** Array(String): names of the parsed columns of a row, and their values. */
const NAMES = 'maskedNames'
const VALUES = 'maskedValues'
/** An ASCII character by its escape, in JSON text that is kept as it came: nobody looks behind it,
 *  so the whole value is hidden. */
const ESCAPED = '\\\\u00[0-7]'

/** SQL of a text: the value of the parsed column of exactly this name. */
export function maskedValueSql(name: string): string {
  return `${VALUES}[indexOf(${NAMES}, ${name})]`
}

/** What stands after FROM. */
export function maskedEventsSql(targets: readonly MaskTarget[], params: SqlParams): string {
  const hidden = params.text(HIDDEN)
  const paths = targets.flatMap((it) => (it.kind === 'column' ? [it.path] : []))
  const expression = valueExpression(targets)
  const inText = (sql: string) =>
    expression === undefined
      ? sql
      : `if(match(${sql}, ${params.text(ESCAPED)}), ${hidden}, replaceRegexpAll(${sql}, ${params.text(expression)}, ${hidden}))`
  const isHidden = (name: string) =>
    paths.length === 0
      ? '0'
      : `(${paths
          .map((path) => {
            const last = params.text(path)
            const below = params.text(`.${path}`)
            // What lies below a hidden name is a part of it.
            const above = params.text(`${path}.`)
            const inner = params.text(`.${path}.`)
            const folded = `lowerUTF8(${name})`
            return `${folded} = ${last} OR endsWith(${folded}, ${below}) OR startsWith(${folded}, ${above}) OR position(${folded}, ${inner}) > 0`
          })
          .join(' OR ')})`
  const has = (...names: readonly string[]) => names.some((name) => paths.includes(name))
  const builtIn = (sql: string, isNamed: boolean) => (isNamed ? hidden : inText(sql))
  const end = params.text(END_OF_NAME)
  const separator = params.text(REST_SEPARATOR)
  const otherEnd = params.text(OTHER_NAME_END)
  const plain = (sql: string) =>
    `replaceAll(replaceAll(${sql}, ${params.text(`${OTHER_ESCAPE}_`)}, ' '), ${params.text(`${OTHER_ESCAPE}[`)}, ${params.text(OTHER_ESCAPE)})`
  const namedNames = `splitByChar(${end}, toString(names))`
  const others = `arrayPopBack(splitByChar(${separator}, others))`
  const idNames = `if(id_names = '', emptyArrayString(), splitByChar(${end}, toString(id_names)))`
  const pairs = `arrayFilter(pair -> pair.1 != '' AND pair.2 != '', arrayConcat(
    arrayZip(${namedNames}, arrayResize(arrayPopFront(splitByChar(${separator}, rest)), length(${namedNames}))),
    arrayMap(other -> (${plain(`splitByChar(${otherEnd}, other)[1]`)}, ${plain(`substring(other, position(other, ${otherEnd}) + 1)`)}), ${others}),
    arrayZip(${idNames}, arrayResize(${ID_VALUES_SQL}, length(${idNames})))))`
  const isWhole = `startsWith(layout, ${params.text(WHOLE_LAYOUT)})`
  const taken = `arrayMap(pair -> pair.2, arrayFilter(pair -> ${isHidden('pair.1')}, pairs))`
  // A template takes its values from the message: there they are hidden, too.
  const without = (sql: string) =>
    paths.length === 0
      ? sql
      : `arrayFold((text, value) -> replaceAll(text, value, ${hidden}), ${taken}, ${sql})`
  const whole = paths.length === 0 ? inText('raw') : hidden
  const message = has('message')
    ? hidden
    : `if(${isWhole}, ${whole}, ${inText(without('message'))})`
  const value = `if(${isHidden('pair.1')}, ${hidden}, ${inText('pair.2')})`
  return `(SELECT log_id, timestamp, received, shownHost AS host, shownSource AS source, shownMessage AS message,
  arrayStringConcat(arrayMap(value -> concat(${separator}, value), ${VALUES})) AS rest, arrayStringConcat(${NAMES}, ${end}) AS names,
  '' AS id_names, '' AS ids, '' AS others, CAST('{}', 'JSON') AS columns, 'r' AS layout, ${hidden} AS raw,
  size, partition, offset, \`index\`, ${NAMES}, ${VALUES}
  FROM (SELECT log_id, timestamp, received, size, partition, offset, \`index\`, ${pairs} AS pairs,
    ${builtIn('toString(host)', has('host', 'server'))} AS shownHost, ${builtIn('toString(source)', has('source', 'file'))} AS shownSource, ${message} AS shownMessage,
    arrayMap(pair -> ${inText('pair.1')}, pairs) AS ${NAMES},
    arrayMap(pair -> replaceAll(${value}, ${separator}, ' '), pairs) AS ${VALUES}
    FROM events))`
}
