// A store of a few events of the sample logs, each as small as its test needs, and queries run on
// it.
import type { Store } from '../../../infra/store/port.ts'
import { compileWithColumns } from '../../../query/language/compile-with-columns.ts'
import type {
  KnownColumn,
  SearchableLog,
  SearchInput,
} from '../../../query/language/search-input.ts'
import { SummaryTable } from '../../../query/search/print/summary-table.ts'
import { compileDateFormat } from '../../../schemas/time/date-format.ts'
import { timeZone } from '../../../schemas/time/time-zone.ts'
import { SAMPLE_LOGS } from '../data/sample-logs.ts'
import { eventsInsert } from './stored-event.ts'

export type SmallEvent = {
  /** Name of a sample log; `access` when left out. */
  readonly log?: string
  /** ISO 8601. */
  readonly at: string
  readonly host?: string
  readonly size?: number
  readonly columns?: Readonly<Record<string, string | number>>
}

const DATE_FORMAT = 'MM/dd/yyyy HH:mm:ss'
const KINDS = ['text', 'number'] as const

/** `firstOffset`: after those inserted before. */
export async function insertSmallEvents(
  store: Store,
  events: readonly SmallEvent[],
  firstOffset: number,
): Promise<void> {
  const rows = events.map(({ log = 'access', at, host = 'web-01', size = 1, columns = {} }) => ({
    log_id: logOf(log).id,
    timestamp: BigInt(Date.parse(at)) * 1_000_000n,
    received: Date.parse(at),
    host,
    message: Object.values(columns).join(' '),
    columns,
    layout: 'f',
    size,
  }))
  await store.insertNative(eventsInsert(`small-${firstOffset}`, rows, firstOffset))
}

export type SmallSearch = Partial<
  Pick<SearchInput, 'visibleLogs' | 'timeZone' | 'nowMs' | 'maxRows'>
> & {
  /** ISO 8601; left out: open. */
  readonly from?: string
  readonly to?: string
}

/** Column names and printed cells of a table. */
export async function tableOf(
  store: Store,
  text: string,
  { from, to, ...given }: SmallSearch = {},
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }> {
  const zone = given.timeZone ?? 'UTC'
  const input = {
    visibleLogs: SAMPLE_LOGS,
    maxRows: null,
    ...given,
    text,
    columns: COLUMNS,
    timeZone: zone,
    nowMs: given.nowMs ?? 0,
    dateFormat: DATE_FORMAT,
    window: {
      startMs: from === undefined ? null : Date.parse(from),
      endMs: to === undefined ? null : Date.parse(to),
    },
  }
  const compiled = await compileWithColumns(input, (statement) => store.query(statement))
  const style = { dateFormat: compileDateFormat(DATE_FORMAT), zone: timeZone(zone) }
  if (compiled.kind !== 'table') throw new Error('events, not a table')
  const table = new SummaryTable(compiled.columns, style)
  for await (const rows of store.stream(compiled)) for (const row of rows) table.add(row)
  const { columns, rows } = table.finish()
  return { columns, rows: rows.map((row) => row.map((cell) => cell ?? '')) }
}

export function logOf(name: string): SearchableLog {
  const log = SAMPLE_LOGS.find((known) => known.name === name)
  if (!log) throw new Error(`no sample log ${name}`)
  return log
}

/** Every column may hold texts and numbers. */
const NAMES = ['User', 'Status', 'Remote IP', 'Source IP', 'Time Taken', 'Event']
const COLUMNS: ReadonlyMap<number, readonly KnownColumn[]> = new Map(
  SAMPLE_LOGS.map(({ id }) => [
    id,
    NAMES.flatMap((name, index) =>
      KINDS.map((kind, place) => ({ logId: id, name, kind, position: index * 2 + place })),
    ),
  ]),
)
