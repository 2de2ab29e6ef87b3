// The XML document of a search answer (decisions 4.2, 4.4).
// Every text passes through here, so that the document is well formed whatever the events hold.

import type { Warning } from '../../../schemas/warning.ts'
import { toCsv } from './csv.ts'
import type { ResultTable } from './result-table.ts'

export type Answer =
  | ({
      readonly state: 'OK'
      readonly numberOfResults: number
      /** The token of the paging; '' for none. */
      readonly token: string
      readonly warnings?: readonly Warning[]
    } & Content)
  | { readonly state: 'Fail'; readonly code: number; readonly reason: string }

/** The rows, or where a file with them is. `data` is the finished content of the element Data:
 *  `toXmlData` or `toCsvData`. */
export type Content = { readonly data: string } | { readonly url: string }

export const XML_CONTENT_TYPE = 'application/xml; charset=utf-8'

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<APIResult>\n'

export function printAnswer(answer: Answer): string {
  if (answer.state === 'Fail') {
    const message = `<Message code="${answer.code}">${escapeText(`${answer.code}: ${answer.reason}`)}</Message>`
    return `${HEAD}<Status state="Fail" token="" numberOfResults="0">${message}</Status>\n<Data/>\n</APIResult>\n`
  }
  const status = `<Status state="OK" token="${escapeAttribute(answer.token)}" numberOfResults="${answer.numberOfResults}"`
  const url = 'url' in answer ? `<Url>${escapeText(answer.url)}</Url>` : ''
  const inside = `${url}${printWarnings(answer.warnings ?? [])}`
  const whole = inside === '' ? `${status}/>` : `${status}>${inside}</Status>`
  const data = 'url' in answer ? '<Data/>' : `<Data>${answer.data}</Data>`
  return `${HEAD}${whole}\n${data}\n</APIResult>\n`
}

function printWarnings(warnings: readonly Warning[]): string {
  if (warnings.length === 0) return ''
  const each = warnings.map(({ code, message, position, replacement }) => {
    const at = position === undefined ? '' : ` position="${position}"`
    const write = replacement === undefined ? '' : ` replacement="${escapeAttribute(replacement)}"`
    return `<Warning code="${escapeAttribute(code)}"${at}${write}>${escapeText(message)}</Warning>`
  })
  return `<Warnings>${each.join('')}</Warnings>`
}

/** What stands before and behind the rows of an OK answer: a file holds the document that would
 *  have been the answer. */
export function frameOfRows(numberOfResults: number): { opening: string; closing: string } {
  const [opening = '', closing = ''] = printAnswer({
    state: 'OK',
    token: '',
    numberOfResults,
    data: '\0',
  }).split('\0')
  return { opening, closing }
}

/** `<Row><Cell name="…">…</Cell></Row>`; a missing cell is `<Cell name="…"/>`. Stops early,
 *  incomplete, once `maxLength` is passed. */
export function toXmlData(table: ResultTable, maxLength = Number.POSITIVE_INFINITY): string {
  const printRow = makeXmlRowPrinter(table.columns)
  let text = ''
  for (const row of table.rows) {
    text += printRow(row)
    if (text.length > maxLength) break
  }
  return text
}

export function makeXmlRowPrinter(
  columns: readonly string[],
): (row: readonly (string | undefined)[]) => string {
  const opens = columns.map((name) => `<Cell name="${escapeAttribute(name)}"`)
  return (row) => {
    let text = '<Row>'
    for (const [index, open] of opens.entries()) {
      const cell = row[index] ?? ''
      text += cell === '' ? `${open}/>` : `${open}>${escapeText(cell)}</Cell>`
    }
    return `${text}</Row>\n`
  }
}

/** CSV in CDATA. `]]>` is split over two sections; a carriage return stands between two sections as
 *  `&#13;`, since every XML parser turns a literal one into a line feed. Stops early as
 *  toXmlData. */
export function toCsvData(table: ResultTable, maxLength = Number.POSITIVE_INFINITY): string {
  const text = replaceUnprintable(toCsv(table, maxLength))
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[')}]]>`
}

const TEXT_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

function escapeText(text: string): string {
  return replaceUnprintable(text).replace(/[&<>\r]/g, (found) => TEXT_ESCAPES[found] ?? found)
}

function escapeAttribute(text: string): string {
  return replaceUnprintable(text).replace(/[&<>"\r\n\t]/g, (found) => TEXT_ESCAPES[found] ?? found)
}

/** What XML 1.0 cannot carry, by reference either, becomes U+FFFD: control characters, lone
 *  surrogates, U+FFFE, U+FFFF. */
export function replaceUnprintable(text: string): string {
  return text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
}
