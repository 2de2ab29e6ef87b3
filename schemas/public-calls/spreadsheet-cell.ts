// Cells of CSV for spreadsheets, which run a text that begins like a formula.

const NUMBER = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][+-]?\d{1,4})?$/
/** Also the wide forms of the signs; in a text of bytes each of them is three characters. */
const FORMULA = /^(?:[=+\-@\t\r\n]|\uff1d|\uff0b|\uff0d|\uff20|\xef\xbc[\x9d\x8b\x8d\xa0])/

/** A text that a spreadsheet would take for a formula begins with '. Numbers stay as they are. */
export function spreadsheetCell(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
