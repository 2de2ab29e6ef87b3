import { expect, it } from 'vitest'
import { toByteText } from '../../../schemas/byte-text.ts'
import { spreadsheetCell } from '../../../schemas/public-calls/spreadsheet-cell.ts'

it.each([
  ...['=1+1', '+A1', '-1+1', '@SUM(A1)', '\t=1', '\r', '\n=1', '-', '=', '-2-3', '+1.5e3+1', '1'],
  ...['\uff1d1', '\uff0b1', '\uff0d1', '\uff20SUM'],
])('a spreadsheet takes %j for no formula', (text) => {
  const isNumber = text === '1'
  expect(spreadsheetCell(text)).toBe(isNumber ? text : `'${text}`)
  const bytes = toByteText(text)
  expect(spreadsheetCell(bytes)).toBe(isNumber ? bytes : `'${bytes}`)
})

it.each(['-5', '+1.5e3', '-.5', '-1.', '1e400', '-0', 'a=1', ' =1', '', '10.0.0.1', '#N/A', "'x"])(
  '%j stays',
  (text) => expect(spreadsheetCell(text)).toBe(text),
)
