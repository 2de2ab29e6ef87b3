// The events as somebody sees them from whom policies hide values (docs/decisions/0089): a
// sub-select in the place of the table, in which the values are hidden already. Whatever a query
// tests, groups, sorts by, counts or shows, it has no others: a value that is hidden answers
// nothing, and takes as long as one that is not there. The JSON column is empty and the index of
// words is not there, so that what still asked for them would fail or find nothing.
import {
  END_OF_NAME,
  HOST_PLACEHOLDERS,
  MESSAGE_PLACEHOLDERS,
  RAW_LAYOUT,
  WHOLE_LAYOUT,
} from '../../../../schemas/event-layout.ts'
import type { MaskTarget } from '../../../../schemas/masking/mask-rule.ts'
import {
  anyName,
  hiddenNames,
  hiddenPaths,
  keyExpressions,
} from '../../../../schemas/masking/name-expressions.ts'
import { HIDDEN } from '../../../../schemas/masking/view-masks.ts'
import {
  ID_VALUES_SQL,
  OTHER_ESCAPE,
  OTHER_NAME_END,
  REST_SEPARATOR,
} from '../../../../schemas/shown-columns.ts'
import type { SqlParams } from '../sql-params.ts'
import { makeTextHiding } from './masked-texts.ts'

/** Array(String): names of the parsed columns of a row, and their values. */
const NAMES = 'maskedNames'
const VALUES = 'maskedValues'
/** SQL of a text: the value of the parsed column of exactly this name. */
export function maskedValueSql(name: string): string {
  return `${VALUES}[indexOf(${NAMES}, ${name})]`
}

/** What stands after FROM. */
export function maskedEventsSql(targets: readonly MaskTarget[], params: SqlParams): string {
  const hidden = params.text(HIDDEN)
  const paths = hiddenPaths(targets)
  const hiding = makeTextHiding(targets, params)
  const end = params.text(END_OF_NAME)
  const separator = params.text(REST_SEPARATOR)
  const otherEnd = params.text(OTHER_NAME_END)
  const plain = (sql: string) =>
    `replaceAll(replaceAll(${sql}, ${params.text(`${OTHER_ESCAPE}_`)}, ' '), ${params.text(`${OTHER_ESCAPE}[`)}, ${params.text(OTHER_ESCAPE)})`
  const namedNames = `splitByChar(${end}, toValidUTF8(toString(names)))`
  // A byte that is no UTF-8 would end what an expression finds.
  const others = `arrayPopBack(splitByChar(${separator}, toValidUTF8(others)))`
  const idNames = `if(id_names = '', emptyArrayString(), splitByChar(${end}, toString(id_names)))`
  const pairs = `arrayFilter(pair -> pair.1 != '' AND pair.2 != '', arrayConcat(
    arrayZip(${namedNames}, arrayResize(arrayPopFront(splitByChar(${separator}, toValidUTF8(rest))), length(${namedNames}))),
    arrayMap(other -> (${plain(`splitByChar(${otherEnd}, other)[1]`)}, ${plain(`substring(other, position(other, ${otherEnd}) + 1)`)}), ${others}),
    arrayZip(${idNames}, arrayResize(${ID_VALUES_SQL}, length(${idNames})))))`
  const isWhole = `startsWith(layout, ${params.text(WHOLE_LAYOUT)})`
  const names = 'arrayMap(pair -> pair.1, pairs)'
  const taken = `arrayMap(pair -> pair.2, arrayFilter(pair -> ${hiding.isHiddenName('pair.1')}, pairs))`
  // A template takes its values from the message: there they are hidden, too. One may be a part of
  // another: the longest first.
  const without = (sql: string) =>
    paths.length === 0
      ? sql
      : `arrayFold((text, value) -> replaceAll(text, value, ${hidden}), arrayReverseSort(value -> length(value), ${taken}), ${sql})`
  const values = `arrayMap(value -> replaceAll(value, ${separator}, ' '), ${hiding.hideAll('arrayMap(pair -> pair.2, pairs)', names)})`
  const has = (...columns: readonly string[]) => columns.some((column) => paths.includes(column))
  const builtIn = (text: string, column: string) => hiding.hide(text, params.text(column))
  const isMessageKey = isKey(paths, MESSAGE_PLACEHOLDERS, params)
  const whole = paths.length === 0 ? builtIn('toValidUTF8(raw)', 'message') : hidden
  const message = has('message')
    ? hidden
    : `multiIf(${isWhole}, ${whole}, ${isMessageKey}, ${hidden}, ${builtIn(without('toValidUTF8(message)'), 'message')})`
  const host = has('host', 'server')
    ? hidden
    : `if(${isKey(paths, HOST_PLACEHOLDERS, params)}, ${hidden}, ${builtIn('toString(host)', 'host')})`
  const source = has('source', 'file') ? hidden : builtIn('toString(source)', 'source')
  const textBytes = (texts: string) => `arraySum(text -> length(text), ${texts})`
  return `(SELECT log_id, timestamp, received, shownHost AS host, shownSource AS source, shownMessage AS message,
  arrayStringConcat(arrayMap(value -> concat(${separator}, value), ${VALUES})) AS rest, arrayStringConcat(${NAMES}, ${end}) AS names,
  '' AS id_names, '' AS ids, '' AS others, CAST('{}', 'JSON') AS columns, 'r' AS layout, ${hidden} AS raw,
  toUInt32(length(shownMessage) + ${textBytes(NAMES)} + ${textBytes(VALUES)}) AS size, partition, offset, \`index\`, ${NAMES}, ${VALUES}
  FROM (SELECT log_id, timestamp, received, partition, offset, \`index\`, ${pairs} AS pairs,
    ${host} AS shownHost, ${source} AS shownSource, ${message} AS shownMessage,
    arrayMap(pair -> ${hiding.detect('pair.1')}, pairs) AS ${NAMES},
    ${values} AS ${VALUES}
    FROM events))`
}

/** A condition: a hidden name is the key of the event's message or host, which is no column
 *  then. */
function isKey(paths: readonly string[], placeholders: string, params: SqlParams): string {
  const conditions = hiddenNames(paths).map(({ before, last }) => {
    const { inLayout, inRaw } = keyExpressions(last, placeholders)
    const isIn = (text: string, key: string) =>
      [key, ...before.map(anyName)].map((it) => `match(${text}, ${params.text(it)})`).join(' AND ')
    return `(${isIn('layout', inLayout)}) OR (startsWith(layout, ${params.text(RAW_LAYOUT)}) AND ${isIn('raw', inRaw)})`
  })
  return conditions.length === 0 ? '0' : conditions.join(' OR ')
}
