// The format query (search-language#formats): a link that opens the console on a query,
// `column.<name>` replaced. A value stays one value of that query, whatever it holds: it is quoted
// unless it is a plain word.
import { compileDateFormat } from '../../../../schemas/time/date-format.ts'
import { utcMsToLocal } from '../../../../schemas/time/local-time.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'
import type { CompileContext } from '../compile-context.ts'
import type { RowColumns } from './row-columns.ts'
import { columnText, joined, parseTemplate } from './template.ts'

/** The page that opens the console on a query. */
const CONSOLE_PATH = '/logeye/search/view/loadSearchModel.jsp'
const PLAIN_WORD = '^[\\\\p{L}\\\\p{Nd}_][\\\\p{L}\\\\p{Nd}_.:/@-]*$'
const RESERVED = "'and', 'or', 'not', 'in', 'null', 'as', 'by', 'if'"

export function consoleLink(template: string, row: RowColumns, context: CompileContext): string {
  const query = joined(queryTexts(template, row, context))
  const { params } = context
  const head = params.text(`${CONSOLE_PATH}?searchQuery=`)
  return `concat(${head}, encodeURLComponent(${query}), ${params.text(windowText(context))})`
}

function queryTexts(template: string, row: RowColumns, context: CompileContext): string[] {
  let isQuoted = false
  return parseTemplate(template, row).map((part) => {
    if (part.kind === 'column') return valueSql(columnText(part.name, row, context), isQuoted)
    const quotes = part.text.replace(/\\./gs, '').split('"').length - 1
    if (quotes % 2 === 1) isQuoted = !isQuoted
    return context.params.text(part.text)
  })
}

/** Inside quotes of the template, only characters that would end the quotes are escaped. */
function valueSql(value: string, isQuoted: boolean): string {
  const escaped = `replaceAll(replaceAll(${value}, '\\\\', '\\\\\\\\'), '"', '\\\\"')`
  if (isQuoted) return escaped
  const isPlain = `match(${value}, '${PLAIN_WORD}') AND lower(${value}) NOT IN (${RESERVED})`
  return `if(${isPlain}, ${value}, concat('"', ${escaped}, '"'))`
}

/** The window of this search, so that the link finds the same events. */
function windowText({ window: { startMs, endMs }, dateFormat, timeZone: zone }: CompileContext) {
  if (startMs === null || endMs === null) return '&fixedInterval=allData'
  const format = compileDateFormat(dateFormat)
  const print = (ms: number) => {
    const offsetMs = timeZone(zone).offsetMsAt(ms)
    return encodeURIComponent(format.print(utcMsToLocal(ms + offsetMs), offsetMs / 60_000))
  }
  // The last second of a pair of times is included (docs/guides/search.md).
  return `&startTimeFullStr=${print(startMs)}&endTimeFullStr=${print(endMs - 1)}`
}
