// The parameters of widgetAPI.jsp (specification: Search; decisions 4.2, 4.3, 4.6-4.8). Pure: pairs in, request out.
// Parameters that we do not know are ignored (decision 1.8); a known one that is wrong in any way ends the call with code 1.
import type { DateFormat } from '../../schemas/date-format.ts'
import { Failure } from '../../schemas/failures.ts'
import {
  DEFAULT_INTERVAL,
  parseExplicitTime,
  parseFixedInterval,
  type TimeWindow,
  windowOfInterval,
} from '../../schemas/time-window.ts'
import type { TimeZone } from '../../schemas/time-zone.ts'

type ResultFormat = 'xml' | 'csv'

export type SearchCall = {
  readonly kind: 'search'
  readonly query: string
  readonly window: TimeWindow
  readonly maxNumOfRecords: number
  readonly resultFormat: ResultFormat
  /** From receipt to the first byte of the answer. */
  readonly timeoutMs: number
  /** The whole result may have at most this many rows. */
  readonly abortOn: number | undefined
  readonly searchId: string | undefined
}

export type CancelCall = { readonly kind: 'cancel'; readonly searchId: string }

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

const NAMES = [
  'widgetId',
  'searchQuery',
  'fixedInterval',
  'startTimeFullStr',
  'endTimeFullStr',
  'maxNumOfRecords',
  'resultFormat',
  'paginate',
  'token',
  'maxRecordsPerPage',
  'timeout',
  'abortOn',
  'searchId',
  'autoLogin',
  'username',
  'password',
] as const
type Name = (typeof NAMES)[number]
type Values = Partial<Record<Name, string>>

/** `pairs` are those of the address followed by those of a form body. Throws search.parameter. */
export function parseParameters(
  pairs: Iterable<readonly [string, string]>,
  rules: ParameterRules,
): SearchCall | CancelCall {
  const values = collect(pairs)
  if (values.widgetId === undefined) return refuse('widgetId', 'missing')
  if (values.widgetId === 'cancelSearch') return parseCancel(values)
  if (values.widgetId !== 'searchAPI')
    return refuse('widgetId', 'must be searchAPI or cancelSearch')
  refusePaging(values)
  return {
    kind: 'search',
    query: parseQuery(values),
    window: parseWindow(values, rules),
    maxNumOfRecords: parseMaxNumOfRecords(values, rules),
    resultFormat: parseResultFormat(values),
    timeoutMs: parseTimeout(values, rules),
    abortOn: values.abortOn === undefined ? undefined : parseNumber('abortOn', values.abortOn),
    searchId: parseSearchId(values),
  }
}

function refuse(parameter: Name, reason: string): never {
  throw new Failure('search.parameter', { parameter, reason })
}

function collect(pairs: Iterable<readonly [string, string]>): Values {
  const values: Values = {}
  for (const [key, value] of pairs) {
    const name = NAMES.find((known) => known === key)
    if (name === undefined) continue
    if (values[name] !== undefined) refuse(name, 'given more than once')
    values[name] = value
  }
  return values
}

function parseCancel(values: Values): CancelCall {
  if (values.token !== undefined) refuse('token', 'not supported yet')
  const searchId = parseSearchId(values)
  return searchId === undefined ? refuse('searchId', 'missing') : { kind: 'cancel', searchId }
}

/** Paging comes with part B of the work; until then it is refused and never misread. */
function refusePaging(values: Values): void {
  if (values.paginate === 'true') refuse('paginate', 'not supported yet')
  if (values.paginate !== undefined && values.paginate !== 'false')
    refuse('paginate', 'must be true or false')
  if (values.token !== undefined) refuse('token', 'not supported yet')
  if (values.maxRecordsPerPage === undefined) return
  const rows = parseNumber('maxRecordsPerPage', values.maxRecordsPerPage)
  if (rows < 1 || rows > MAX_RECORDS_PER_PAGE)
    refuse('maxRecordsPerPage', `must be from 1 to ${MAX_RECORDS_PER_PAGE}`)
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
  if (fixedInterval !== undefined) {
    if (startTimeFullStr !== undefined || endTimeFullStr !== undefined)
      refuse('fixedInterval', 'not together with startTimeFullStr or endTimeFullStr')
    const interval = parseFixedInterval(fixedInterval)
    return interval === undefined
      ? refuse('fixedInterval', 'unknown interval')
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

function parseMaxNumOfRecords({ maxNumOfRecords }: Values, rules: ParameterRules): number {
  if (maxNumOfRecords === undefined) return Math.min(rules.defaultMaxNumOfRecords, rules.maxResults)
  const rows = parseNumber('maxNumOfRecords', maxNumOfRecords)
  return rows < 1 || rows > rules.maxResults
    ? refuse('maxNumOfRecords', `must be from 1 to ${rules.maxResults}`)
    : rows
}

function parseResultFormat({ resultFormat }: Values): ResultFormat {
  if (resultFormat === undefined || resultFormat === 'xml') return 'xml'
  return resultFormat === 'csv' ? 'csv' : refuse('resultFormat', 'must be xml or csv')
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
