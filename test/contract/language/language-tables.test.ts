// What compiled queries with stages calculate on the real engine, against the same sums made here.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { compileSearch } from '../../../query/language/compile-search.ts'
import type { CompiledSearch } from '../../../query/language/compiled.ts'
import { COUNT_COLUMNS } from '../../../schemas/store/tables.ts'
import { BASE_MS, HOSTILE_LOGS, NAMES } from '../../support/data/hostile-events.ts'
import {
  COLUMNS,
  compile,
  EVENTS,
  insertHostileEvents,
  VISIBLE,
  WINDOW,
} from '../../support/store/language-store.ts'
import { encodeNative } from '../../support/store/native-encoder.ts'
import { failureOf, openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const SEEN = EVENTS.filter(
  ({ log, timestampMs }) => log.name !== 'hidden' && timestampMs < WINDOW.endMs,
).sort((a, b) => b.timestampMs - a.timestampMs || b.number - a.number)
type Event = (typeof EVENTS)[number]

describe.each(STORE_VARIANTS)('tables on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    await insertHostileEvents(store)
  })

  async function table(text: string) {
    return await run(compile(text))
  }

  async function insertCounts(rows: Parameters<typeof encodeNative>[1], queryId: string) {
    const columns = COUNT_COLUMNS.map(({ name }) => name)
    const block = encodeNative(COUNT_COLUMNS, rows)
    await store.insertNative({ table: 'counts', columns, block, queryId })
  }

  async function run(compiled: CompiledSearch) {
    if (compiled.kind !== 'table') throw new Error('events')
    const rows = await store.query<Record<string, unknown>>(compiled)
    return rows.map((row) => compiled.columns.map((_, index) => printed(row[`c${index}`])))
  }

  it('count rows, rows with a column, and different values', async () => {
    expect(compile('* | count, count Status as S').kind).toBe('table')
    const having = (name: string) => SEEN.filter((event) => cellOf(event, name) !== '').length
    const different = (name: string) => groupsOf([(event) => [cellOf(event, name)]]).length
    expect(await table('* | count')).toEqual([[`${SEEN.length}`]])
    expect(
      await table('* | count Status, distinct count Status, count distinct Method, count apptags'),
    ).toEqual([
      [
        `${having('Status')}`,
        `${different('Status')}`,
        `${different('Method')}`,
        `${SEEN.filter(({ log }) => log.appTags.length > 0).length}`,
      ],
    ])
    expect(await table('* | count nothing, distinct count nothing')).toEqual([['0', '0']])
    expect(await table('nothingatall | count')).toEqual([['0']])
  })

  it.each([
    ['Method', [(event: Event) => [cellOf(event, 'Method')]]],
    ['Status', [(event: Event) => [cellOf(event, 'Status')]]],
    ['trace', [(event: Event) => [cellOf(event, 'trace')]]],
    ['host', [(event: Event) => [event.host]]],
    ['log', [(event: Event) => [event.log.name]]],
    [
      'folder, host',
      [(event: Event) => [event.log.folder.join('->')], (event: Event) => [event.host]],
    ],
    ['apptags', [(event: Event) => event.log.appTags]],
    ['size', [(event: Event) => [String(event.number)]]],
    ['timestamp', [(event: Event) => [String(event.timestampMs)]]],
    [
      'Flag, Level',
      [(event: Event) => [cellOf(event, 'Flag')], (event: Event) => [cellOf(event, 'Level')]],
    ],
  ])('group by %s', async (keys, read) => {
    const expected = groupsOf(read)
    const rows = await table(`* | count | group by ${keys}`)
    expect(new Set(rows.map((row) => row.join('|')))).toEqual(
      new Set(expected.map(({ texts, count }) => [...texts, count].join('|'))),
    )
    const counts = rows.map((row) => Number(row.at(-1)))
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  })

  it('order groups by the first function, then by key, numbers before text', async () => {
    const rows = await table('* | count | group by Status')
    const keysOf = (count: string) => rows.filter((row) => row[1] === count).map(([key]) => key)
    for (const count of new Set(rows.map((row) => row[1] ?? ''))) {
      const keys = keysOf(count).map((key) => Number(key))
      const numbers = keys.filter((key) => !Number.isNaN(key))
      expect(keys.slice(0, numbers.length)).toEqual([...numbers].sort((a, b) => a - b))
    }
  })

  it('keep the spelling of the newest row of a group', async () => {
    const first = SEEN.find((event) => cellOf(event, 'Method').toLowerCase() === 'get')
    const rows = await table('* | count | group by Method')
    expect(rows.map(([key]) => key).filter((key) => key?.toLowerCase() === 'get')).toEqual([
      first && cellOf(first, 'Method'),
    ])
  })

  it('take where, limit and display only behind functions', async () => {
    const groups = groupsOf([(event) => [cellOf(event, 'Level')]])
    const many = groups.filter(({ count }) => count > 8)
    expect(await table('* | count as Hits | group by Level | where Hits > 8')).toHaveLength(
      many.length,
    )
    const rows = await table('* | count as Hits | group by Level')
    expect(
      await table(
        '* | count as Hits | group by Level | limit 3 offset 1 | display only Hits as n, Level, none',
      ),
    ).toEqual(rows.slice(1, 4).map(([level, hits]) => [hits, level, '']))
    expect(await table('* | group by Level | where Level = warn* or count = 0 | count')).toEqual([
      [`${groups.filter(({ texts }) => texts[0]?.toLowerCase().startsWith('warn')).length}`],
    ])
    expect(await table('* | group by Level, host | count | group by host')).toHaveLength(3)
  })

  it('name their columns by alias, key and text', () => {
    const compiled = compile(
      '* | count, count "Bytes Sent", distinct count User as Users | group by host as Server, app',
    )
    expect(compiled.kind === 'table' && compiled.columns).toEqual([
      { name: 'Server', cell: 'text' },
      { name: 'app', cell: 'text' },
      { name: 'count', cell: 'number' },
      { name: 'count Bytes Sent', cell: 'number' },
      { name: 'Users', cell: 'number' },
    ])
  })

  it('show listed columns of events under their names', async () => {
    const compiled = compile('* | list Status as Code, host, none | where Code exists | limit 3')
    if (compiled.kind !== 'events') throw new Error('a table')
    expect(compiled.cells).toEqual([
      { kind: 'text', name: 'Code', index: 0 },
      { kind: 'builtIn', name: 'host', column: 'host' },
      { kind: 'text', name: 'none', index: 1 },
    ])
    expect(await store.query(compiled)).toHaveLength(3)
  })

  it('refuse more than 100,000 groups with code 5', async () => {
    await store.command({
      sql: `INSERT INTO events (policy, log_id, timestamp, received, size)
          SELECT 1, 1, fromUnixTimestamp64Milli(${WINDOW.startMs + 86_400_000}, 'UTC'), fromUnixTimestamp64Milli(${WINDOW.startMs}, 'UTC'), number FROM numbers(100001)`,
    })
    const window = { startMs: WINDOW.startMs + 86_400_000, endMs: WINDOW.startMs + 86_400_001 }
    const grouped = (text: string) => run(compileSearch({ ...inputOf(text), window }))
    expect(await failureOf(grouped('* | group by size | limit 1'))).toBe('store.too_many_groups')
    expect(await failureOf(grouped('size > 0 | group by size | count'))).toBe('')
  })

  it('give the flow by period and key, empty periods too, from events', async () => {
    const byMinute = await table('* | datastream')
    expect(byMinute).toEqual([[`${BASE_MS}`, `${SEEN.length}`, `${sizeOf(SEEN)}`]])
    const byLog = await table('error OR time | datastream group by log')
    expect(byLog.every(([time]) => time === `${BASE_MS}`)).toBe(true)
  })

  it('give the flow from the counters for whole quarters, from events at the edges', async () => {
    const firstMs = BASE_MS - 86_400_000
    const quarters = Array.from({ length: 60 }, (_, index) => ({
      policy: 1,
      quarter: firstMs / 1000 + (index - 1) * 900,
      event_quarter: firstMs / 1000 + (index - 1) * 900,
      log_id: HOSTILE_LOGS[index % 5]?.id ?? 0,
      host: 'web-01',
      source: 'Default',
      events: 10 + index,
      bytes: 1000 + index,
      upto: 5,
    }))
    await insertCounts(quarters, 'counts')
    // One second of the first quarter: of it only events count, and there are none.
    const startMs = firstMs - 1000
    const window = { startMs, endMs: BASE_MS + 10_500 }
    const rows = await run(
      compileSearch({ ...inputOf('* | datastream'), window, timeZone: 'Asia/Kolkata' }),
    )
    const counted = quarters.filter(
      ({ event_quarter, log_id }) => event_quarter * 1000 >= startMs && log_id !== 5,
    )
    const edge = SEEN.filter(({ timestampMs }) => timestampMs < window.endMs)
    const total = (column: number) => rows.reduce((sum, row) => sum + Number(row[column]), 0)
    expect(total(1)).toBe(counted.reduce((sum, { events }) => sum + events, 0) + edge.length)
    expect(total(2)).toBe(counted.reduce((sum, { bytes }) => sum + bytes, 0) + sizeOf(edge))
    // Two days of Kolkata, which begin at 18:30 UTC.
    expect(rows.map(([time]) => new Date(Number(time)).toISOString())).toEqual([
      '2026-02-27T18:30:00.000Z',
      '2026-02-28T18:30:00.000Z',
    ])
    const scoped = await run(
      compileSearch({ ...inputOf('* in log.access | datastream | group by log'), window }),
    )
    expect(new Set(scoped.map((row) => row[1]))).toEqual(new Set(['access']))
  })

  it('show keys of the counters as spelled in the newest quarter, and there the least', async () => {
    const firstMs = BASE_MS - 3 * 86_400_000
    const hosts = [['WEB-09'], ['web-09', 'wEB-09'], []]
    const quarters = hosts.flatMap((names, index) =>
      names.map((host) => ({
        policy: 1,
        quarter: firstMs / 1000 + index * 900,
        event_quarter: firstMs / 1000 + index * 900,
        log_id: HOSTILE_LOGS[0]?.id ?? 0,
        host,
        source: 'Default',
        events: 1,
        bytes: 10,
        upto: 5,
      })),
    )
    await insertCounts(quarters, 'spelled-counts')
    const window = { startMs: firstMs, endMs: firstMs + 3_600_000 }
    const text = '* | datastream | interval 1 hour | group by host'
    const rows = await run(compileSearch({ ...inputOf(text), window }))
    expect(rows.map((row) => row.slice(1))).toEqual([['wEB-09', '3', '30']])
  })

  it('give weeks from Monday, without gaps, for an open window', async () => {
    const rows = await run(
      compileSearch({ ...inputOf('* | datastream'), window: { startMs: null, endMs: null } }),
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const [time] of rows) {
      const moment = new Date(Number(time))
      expect([moment.getUTCDay(), moment.getUTCHours()]).toEqual([1, 0])
    }
  })
})

function inputOf(text: string) {
  return {
    text,
    visibleLogs: VISIBLE,
    columns: COLUMNS,
    window: WINDOW,
    dateFormat: 'MM/dd/yyyy HH:mm:ss',
    timeZone: 'UTC',
    nowMs: 0,
    maxRows: 1000,
  }
}

function printed(value: unknown): string {
  return value === null ? '' : String(value)
}

function cellOf(event: Event, name: string): string {
  for (const seen of NAMES) {
    if (seen.toLowerCase() !== name.toLowerCase()) continue
    const cell = event.columns[seen] ?? event.ids[seen] ?? ''
    if (cell !== '') return String(cell)
  }
  return ''
}

/** Keys without letter case, spelled as in the first row. */
function groupsOf(keys: readonly ((event: Event) => readonly string[])[]) {
  const groups = new Map<string, { texts: readonly string[]; count: number }>()
  for (const event of SEEN) {
    for (const texts of combinations(keys.map((key) => key(event)))) {
      if (texts.includes('')) continue
      const id = texts.join('|').replaceAll('Σ', 'σ').toLowerCase()
      const group = groups.get(id)
      if (group) group.count += 1
      else groups.set(id, { texts, count: 1 })
    }
  }
  return [...groups.values()]
}

function combinations(lists: readonly (readonly string[])[]): string[][] {
  const [first, ...more] = lists
  if (!first) return [[]]
  return first.flatMap((text) => combinations(more).map((rest) => [text, ...rest]))
}

function sizeOf(events: readonly Event[]): number {
  return events.reduce((sum, { number }) => sum + number, 0)
}
