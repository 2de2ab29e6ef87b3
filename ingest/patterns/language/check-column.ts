// What a column's attributes and format may be; faults say the way out.
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { DateReader } from '../values/date-reader.ts'
import { COLUMN_TYPES } from './column-types.ts'
import { type ColumnElement, PatternFault } from './pattern.ts'

const MAX_NAME = 255
const MAX_CHOICES = 200
export const DEFAULT_LEVELS =
  'TRACE;DEBUG;VERBOSE;INFO;INFORMATION;NOTICE;WARN;WARNING;ERR;ERROR;SEVERE;CRIT;CRITICAL;ALERT;FATAL;EMERG;PANIC'
export const SEPARATORS: Readonly<Record<string, string>> = {
  space: ' ',
  comma: ',',
  semicolon: ';',
  pipe: '|',
  tab: '\t',
  ampersand: '&',
}
export const EQUALS: Readonly<Record<string, string>> = { equals: '=', colon: ':' }

/** Throws PatternFault. */
export function checkColumn(column: ColumnElement): void {
  const fail = (reason: string): never => {
    throw new PatternFault(column.at, reason)
  }
  const { type, name, attributes, format } = column
  const rules = COLUMN_TYPES[type]
  if (name.length > MAX_NAME || /\p{Cc}/u.test(name))
    fail(`a column's name has at most ${MAX_NAME} characters and no control character`)
  if (/^\.|\.$|\.\.|\ufffd/.test(name))
    fail("a column's name does not begin or end with a point, nor has it two together")
  for (const attribute of Object.keys(attributes)) {
    if (rules.attributes.includes(attribute)) continue
    const known = rules.attributes.length === 0 ? 'none' : rules.attributes.join(', ')
    fail(`${type} has no attribute ${attribute}; it takes ${known}`)
  }
  for (const one of [attributes.ftype, attributes.paramsFtype])
    if (one !== undefined && !/^[A-Za-z][A-Za-z0-9]*$/.test(one))
      fail(`${JSON.stringify(one)} is no ftype; write one word such as remoteip`)
  if (rules.format === 'none' && format.trim() !== '')
    fail(`${type} takes no format; leave out ${JSON.stringify(format)}`)
  if (rules.format === 'required' && format.trim() === '') fail(missingFormat(type))
  for (const one of [attributes.timeDiff, attributes.product])
    if (one !== undefined && !/^-?\d{1,12}$/.test(one))
      fail(`${JSON.stringify(one)} is no whole number`)
  if (attributes.product !== undefined && Number(attributes.product) < 1)
    fail('product must be at least 1; leave it out for milliseconds')
  if (type === 'date') checkDate(column, fail)
  if (type === 'timestamp') checkDisplay(format, fail)
  if (type === 'choice' || type === 'priority') checkChoices(column, fail)
  if (type === 'pairs') checkPairs(column, fail)
}

function missingFormat(type: string): string {
  return type === 'date'
    ? 'date needs a format; write {date:Date,yyyy-MM-dd HH:mm:ss}'
    : `${type} needs its values; write {${type}:Name,A;B;C}`
}

/** Two formats are divided by a `;`: how it is read, how it is shown. */
export function dateFormats(format: string): { read: string; display: string } {
  let isQuoted = false
  for (let at = 0; at < format.length; at++) {
    if (format.charAt(at) === "'") isQuoted = !isQuoted
    else if (format.charAt(at) === ';' && !isQuoted)
      return { read: format.slice(0, at), display: format.slice(at + 1) }
  }
  return { read: format, display: '' }
}

function checkDate({ attributes, format }: ColumnElement, fail: (reason: string) => never): void {
  for (const locale of [attributes.locale, attributes.localeView])
    if (locale !== undefined && !isLocale(locale))
      fail(`${JSON.stringify(locale)} is no locale; write one such as en or de`)
  const { read, display } = dateFormats(format)
  if (!/[A-Za-z]/.test(read)) fail('the format has no letter; write one such as yyyy-MM-dd')
  try {
    new DateReader(read, attributes.locale)
  } catch (error) {
    fail(error instanceof RangeError ? error.message : 'the format cannot be read')
  }
  checkDisplay(display, fail)
}

function isLocale(locale: string): boolean {
  try {
    return locale !== '' && Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}

function checkDisplay(format: string, fail: (reason: string) => never): void {
  if (format === '') return
  try {
    compileDateFormat(format)
  } catch (error) {
    fail(error instanceof RangeError ? error.message : 'the format cannot be shown')
  }
}

function checkChoices(column: ColumnElement, fail: (reason: string) => never): void {
  const choices = choicesOf(column)
  if (choices.length === 0) fail(missingFormat(column.type))
  if (choices.length > MAX_CHOICES) fail(`at most ${MAX_CHOICES} values; use text for more`)
  if (new Set(choices).size < choices.length) fail('a value stands twice')
}

/** Spaces around a value do not belong to it. */
export function choicesOf({ type, format }: ColumnElement): string[] {
  const text = type === 'priority' && format.trim() === '' ? DEFAULT_LEVELS : format
  return text
    .split(';')
    .map((choice) => choice.trim())
    .filter((choice) => choice !== '')
}

function checkPairs({ attributes }: ColumnElement, fail: (reason: string) => never): void {
  const { separator = 'space', equals = 'equals' } = attributes
  if (!Object.hasOwn(SEPARATORS, separator))
    fail(`separator must be one of ${Object.keys(SEPARATORS).join(', ')}`)
  if (!Object.hasOwn(EQUALS, equals))
    fail(`equals must be one of ${Object.keys(EQUALS).join(', ')}`)
}
