// The parameters of widgetAPI.jsp (decisions 4.2, 4.3, 4.6-4.8). Pure: pairs in, request out.
// Parameters that we do not know are ignored, with a warning (decision 1.8); a known one that is
// wrong in any way ends the call with code 1.

import { Failure } from '../../schemas/failures.ts'
import { describeFault, readCallTime } from '../../schemas/time/call-time.ts'
import type { DateFormat } from '../../schemas/time/date-format.ts'
import {
  DEFAULT_INTERVAL,
  FIXED_INTERVALS,
  parseExplicitTime,
  parseFixedInterval,
  type TimeWindow,
  windowOfInterval,
} from '../../schemas/time/time-window.ts'
import { findTimeZone, type TimeZone, UNKNOWN_ZONE } from '../../schemas/time/time-zone.ts'
import type { ExportFormat, FileFormat } from './print/row-printer.ts'

/** How the rows reach the caller. */
type Delivery =
  | { readonly kind: 'inline'; readonly format: FileFormat }
  | { readonly kind: 'paged'; readonly format: FileFormat; readonly pageRows: number }
  | { readonly kind: 'export'; readonly format: ExportFormat }

export type SearchCall = {
  readonly kind: 'search'
  readonly query: string
  readonly window: TimeWindow
  /** Name of the zone of its dates: of this call alone, else that of the rules. */
  readonly timeZone: string
  readonly delivery: Delivery
  /** Null: the whole result, of pages and exports that name no maxNumOfRecords. */
  readonly maxRows: number | null
  /** From receipt to the first byte of the answer. */
  readonly timeoutMs: number
  /** The whole result may have at most this many rows. */
  readonly abortOn: number | undefined
  readonly searchId: string | undefined
}

/** The next page of a search that was begun with paginate=true. */
export type PageCall = {
  readonly kind: 'page'
  readonly token: string
  /** Undefined: that of the first call. */
  readonly format: FileFormat | undefined
  readonly timeoutMs: number
  readonly searchId: string | undefined
}

export type CancelCall = {
  readonly kind: 'cancel'
  readonly by: { readonly searchId: string } | { readonly token: string }
}

export type Call = (SearchCall | PageCall | CancelCall) & Told

export type Told = {
  /** What may have been meant otherwise is told, too; of an export always. */
  readonly tellsAll: boolean
  /** Names of parameters that are none of this call. */
  readonly unknown: readonly string[]
}

/** What the rules need of the system at the moment of the call. */
export type ParameterRules = {
  readonly nowMs: number
  readonly zone: TimeZone
  readonly dateFormat: DateFormat
  readonly defaultMaxNumOfRecords: number
  readonly maxResults: number
  readonly defaultTimeoutMs: number
  readonly maxTimeoutMs: number
}

const MAX_QUERY_CHARACTERS = 32_768
const MAX_SEARCH_ID_CHARACTERS = 64
const MAX_RECORDS_PER_PAGE = 10_000
const DEFAULT_RECORDS_PER_PAGE = 100

/** As they are written. */
export const PARAMETER_NAMES = [
  'widgetId',
  'searchQuery',
  'fixedInterval',
  'startTimeFullStr',
  'endTimeFullStr',
  'startTime',
  'endTime',
  'timeZone',
  'maxNumOfRecords',
  'resultFormat',
  'paginate',
  'token',
  'maxRecordsPerPage',
  'timeout',
  'abortOn',
  'searchId',
  'warnings',
  'spreadsheet',
  'autoLogin',
  'username',
  'password',
  'apiToken',
] as const
type Name = (typeof PARAMETER_NAMES)[number]
type Values = Partial<Record<Name, string>>

/** `pairs` are those of the address followed by those of a form body. Throws search.parameter. */
export function parseParameters(
  pairs: Iterable<readonly [string, string]>,
  rules: ParameterRules,
): Call {
  const { values, unknown } = collect(pairs)
  const call = parseCall(values, rules)
  const isExport = call.kind === 'search' && call.delivery.kind === 'export'
  return { ...call, unknown, tellsAll: parseFlag('warnings', values) || isExport }
}

function parseCall(values: Values, rules: ParameterRules): SearchCall | PageCall | CancelCall {
  if (values.widgetId === undefined) return refuse('widgetId', 'missing')
  if (values.widgetId === 'cancelSearch') return parseCancel(values)
  if (values.widgetId !== 'searchAPI')
    return refuse('widgetId', 'must be searchAPI or cancelSearch')
  const token = parseToken(values)
  if (token !== undefined) return parsePage(token, values, rules)
  const query = parseQuery(values)
  const zone = parseTimeZone(values)
  const window = parseWindow(values, zone === undefined ? rules : { ...rules, zone })
  const delivery = parseDelivery(values)
  return {
    kind: 'search',
    query,
    window,
    timeZone: (zone ?? rules.zone).name,
    delivery,
    maxRows: parseMaxRows(values, delivery, rules),
    timeoutMs: parseTimeout(values, rules),
    abortOn: parseAbortOn(values),
    searchId: parseSearchId(values),
  }
}

/** Everything else was fixed by the first call: it may be said again, and must then be right, but
 *  changes nothing. */
function parsePage(token: string, values: Values, rules: ParameterRules): PageCall {
  if (values.paginate === 'false') refuse('paginate', 'not false together with a token')
  if (values.searchQuery !== undefined) parseQuery(values)
  parseTimeZone(values)
  parseWindow(values, rules)
  const delivery = parseDelivery(values)
  if (delivery.kind === 'export') return refuse('resultFormat', 'must be xml or csv with a token')
  parseMaxRows(values, delivery, rules)
  parseAbortOn(values)
  return {
    kind: 'page',
    token,
    format: values.resultFormat === undefined ? undefined : delivery.format,
    timeoutMs: parseTimeout(values, rules),
    searchId: parseSearchId(values),
  }
}

function refuse(parameter: Name, reason: string): never {
  throw new Failure('search.parameter', { parameter, reason })
}

function collect(pairs: Iterable<readonly [string, string]>): {
  readonly values: Values
  readonly unknown: readonly string[]
} {
  const values: Values = {}
  const unknown = new Set<string>()
  for (const [key, value] of pairs) {
    const name = PARAMETER_NAMES.find((known) => known === key)
    if (name === undefined) {
      unknown.add(key)
      continue
    }
    if (values[name] !== undefined) refuse(name, 'given more than once')
    values[name] = value
  }
  return { values, unknown: [...unknown] }
}

function parseFlag(name: 'warnings' | 'spreadsheet', values: Values): boolean {
  const value = values[name]
  if (value === undefined || value === 'false') return false
  return value === 'true' || refuse(name, 'must be true or false')
}

function parseCancel(values: Values): CancelCall {
  const searchId = parseSearchId(values)
  const token = parseToken(values)
  if (searchId !== undefined && token !== undefined)
    return refuse('token', 'not together with searchId')
  if (token !== undefined) return { kind: 'cancel', by: { token } }
  return searchId === undefined
    ? refuse('searchId', 'missing')
    : { kind: 'cancel', by: { searchId } }
}

function parseToken({ token }: Values): string | undefined {
  return token === '' ? refuse('token', 'must not be empty') : token
}

function parseDelivery(values: Values): Delivery {
  const { paginate } = values
  const format = parseResultFormat(values)
  const pageRows = parsePageRows(values)
  if (paginate !== undefined && paginate !== 'true' && paginate !== 'false')
    return refuse('paginate', 'must be true or false')
  const isForSpreadsheet = parseFlag('spreadsheet', values)
  if (isForSpreadsheet && format !== 'csv-plain')
    return refuse('spreadsheet', 'needs resultFormat csv-plain')
  if (format === 'json' || format === 'csv-plain')
    return paginate === 'true'
      ? refuse('paginate', `not together with resultFormat ${format}`)
      : { kind: 'export', format: isForSpreadsheet ? 'csv-spreadsheet' : format }
  return paginate === 'true' ? { kind: 'paged', format, pageRows } : { kind: 'inline', format }
}

function parsePageRows({ maxRecordsPerPage }: Values): number {
  if (maxRecordsPerPage === undefined) return DEFAULT_RECORDS_PER_PAGE
  const rows = parseNumber('maxRecordsPerPage', maxRecordsPerPage)
  return rows < 1 || rows > MAX_RECORDS_PER_PAGE
    ? refuse('maxRecordsPerPage', `must be from 1 to ${MAX_RECORDS_PER_PAGE}`)
    : rows
}

function parseAbortOn({ abortOn }: Values): number | undefined {
  return abortOn === undefined ? undefined : parseNumber('abortOn', abortOn)
}

function parseQuery({ searchQuery }: Values): string {
  if (searchQuery === undefined) return refuse('searchQuery', 'missing')
  // A character is a code point; the second count runs only where the first could be wrong.
  if (
    searchQuery.length > MAX_QUERY_CHARACTERS &&
    Array.from(searchQuery).length > MAX_QUERY_CHARACTERS
  )
    refuse('searchQuery', `longer than ${MAX_QUERY_CHARACTERS} characters`)
  return searchQuery
}

function parseWindow(values: Values, rules: ParameterRules): TimeWindow {
  const { fixedInterval, startTimeFullStr, endTimeFullStr } = values
  if (values.startTime !== undefined || values.endTime !== undefined)
    return parseOwnWindow(values, rules)
  if (fixedInterval !== undefined) {
    if (startTimeFullStr !== undefined || endTimeFullStr !== undefined)
      refuse('fixedInterval', 'not together with startTimeFullStr or endTimeFullStr')
    const interval = parseFixedInterval(fixedInterval)
    return interval === undefined
      ? refuse('fixedInterval', `unknown interval; known are ${FIXED_INTERVALS.join(', ')}`)
      : windowOfInterval(interval, rules.nowMs, rules.zone)
  }
  if (startTimeFullStr === undefined && endTimeFullStr === undefined)
    return windowOfInterval(DEFAULT_INTERVAL, rules.nowMs, rules.zone)
  if (startTimeFullStr === undefined)
    return refuse('startTimeFullStr', 'missing beside endTimeFullStr')
  if (endTimeFullStr === undefined)
    return refuse('endTimeFullStr', 'missing beside startTimeFullStr')
  const start = parseTime('startTimeFullStr', startTimeFullStr, rules)
  const end = parseTime('endTimeFullStr', endTimeFullStr, rules)
  if (end.startMs < start.startMs) refuse('endTimeFullStr', 'before startTimeFullStr')
  return { startMs: start.startMs, endMs: end.endMs }
}

/** Our own parameters: any time, also one told from now; the end is the first moment outside. */
function parseOwnWindow(values: Values, rules: ParameterRules): TimeWindow {
  const { startTime, endTime } = values
  const own = startTime === undefined ? 'endTime' : 'startTime'
  for (const name of ['fixedInterval', 'startTimeFullStr', 'endTimeFullStr'] as const)
    if (values[name] !== undefined) refuse(own, `not together with ${name}`)
  if (startTime === undefined) return refuse('startTime', 'missing beside endTime')
  const startMs = parseOwnTime('startTime', startTime, rules)
  const endMs = endTime === undefined ? rules.nowMs : parseOwnTime('endTime', endTime, rules)
  if (endMs < startMs)
    return endTime === undefined
      ? refuse('startTime', 'after now, and without endTime')
      : refuse('endTime', 'before startTime')
  return { startMs, endMs }
}

function parseOwnTime(name: 'startTime' | 'endTime', text: string, rules: ParameterRules): number {
  const time = readCallTime(text, rules)
  return time.kind === 'time' ? time.ms : refuse(name, describeFault(time, rules))
}

function parseTimeZone({ timeZone }: Values): TimeZone | undefined {
  if (timeZone === undefined) return undefined
  return findTimeZone(timeZone) ?? refuse('timeZone', UNKNOWN_ZONE)
}

function parseTime(
  name: 'startTimeFullStr' | 'endTimeFullStr',
  text: string,
  rules: ParameterRules,
) {
  return (
    parseExplicitTime(text, rules.dateFormat, rules.zone) ??
    refuse(name, `must be a time as ${rules.dateFormat.pattern} or ISO 8601`)
  )
}

/** Numbers beyond exact integers are cut to the largest one: every limit that follows is lower. */
function parseNumber(name: Name, text: string): number {
  if (!/^[0-9]+$/.test(text)) refuse(name, 'must be a whole number')
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
}

/** The system's limit is not for exports, which are of any size. */
function parseMaxRows(
  { maxNumOfRecords }: Values,
  delivery: Delivery,
  rules: ParameterRules,
): number | null {
  if (maxNumOfRecords === undefined)
    return delivery.kind === 'inline'
      ? Math.min(rules.defaultMaxNumOfRecords, rules.maxResults)
      : null
  const rows = parseNumber('maxNumOfRecords', maxNumOfRecords)
  if (delivery.kind === 'export')
    return rows < 1 ? refuse('maxNumOfRecords', 'must be at least 1') : rows
  return rows < 1 || rows > rules.maxResults
    ? refuse('maxNumOfRecords', `must be from 1 to ${rules.maxResults}`)
    : rows
}

function parseResultFormat({
  resultFormat,
}: Values): FileFormat | Exclude<ExportFormat, 'csv-spreadsheet'> {
  switch (resultFormat) {
    case undefined:
      return 'xml'
    case 'xml':
    case 'csv':
    case 'json':
    case 'csv-plain':
      return resultFormat
    default:
      return refuse('resultFormat', 'must be xml, csv, json or csv-plain')
  }
}

/** Clamped, not refused (decision 4.8). */
function parseTimeout({ timeout }: Values, rules: ParameterRules): number {
  if (timeout === undefined) return rules.defaultTimeoutMs
  return Math.min(Math.max(parseNumber('timeout', timeout), 1), rules.maxTimeoutMs)
}

function parseSearchId({ searchId }: Values): string | undefined {
  if (searchId === undefined) return undefined
  return searchId === '' || Array.from(searchId).length > MAX_SEARCH_ID_CHARACTERS
    ? refuse('searchId', `must have 1 to ${MAX_SEARCH_ID_CHARACTERS} characters`)
    : searchId
}
