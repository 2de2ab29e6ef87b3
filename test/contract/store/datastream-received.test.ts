// `datastream received` (search-language#datastream): events by the hour of their receipt, from the
// counters and at the edges of the window from the events, against sums made here.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { compileSearch } from '../../../query/language/compile-search.ts'
import { HOSTILE_LOGS } from '../../support/data/hostile-events.ts'
import { COLUMNS, VISIBLE } from '../../support/store/language-store.ts'
import { openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'
import { eventsInsert } from '../../support/store/stored-event.ts'

const HOUR_MS = 3_600_000
const QUARTER_MS = 900_000
const BEGIN_MS = Date.UTC(2026, 4, 4, 8)

/** Times of events lie up to a day ahead of their receipt, and years before it. */
const EVENTS = Array.from({ length: 300 }, (_, at) => {
  const received = BEGIN_MS + at * 97_000
  const timestampMs = received + ([-400 * 24 * HOUR_MS, -HOUR_MS, 0, 20 * HOUR_MS][at % 4] ?? 0)
  const log = HOSTILE_LOGS[at % 3]
  return { received, timestampMs, logId: log?.id ?? 0, host: `h${at % 2}`, size: 100 + at }
})

describe.each(STORE_VARIANTS)('datastream received on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    const rows = EVENTS.map(({ received, timestampMs, logId, host, size }) => ({
      ...{ received, timestamp: BigInt(timestampMs) * 1_000_000n, log_id: logId, host, size },
    }))
    await store.insertNative(eventsInsert('received', rows))
    await store.command({
      sql: `INSERT INTO counts (policy, quarter, event_quarter, log_id, host, source, partition, events, bytes, upto)
        SELECT policy, toStartOfFifteenMinutes(received), toStartOfFifteenMinutes(toDateTime(timestamp, 'UTC')), log_id, host, source, partition, count(), sum(size), 1
        FROM events GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    })
  })

  async function flow(text: string, startMs: number | null, endMs: number | null) {
    const compiled = compileSearch({
      ...{ text, visibleLogs: VISIBLE, columns: COLUMNS, window: { startMs, endMs } },
      ...{ dateFormat: 'MM/dd/yyyy HH:mm:ss', timeZone: 'UTC', nowMs: 0, maxRows: 1000 },
    })
    if (compiled.kind !== 'table') throw new Error('events')
    const rows = await store.query<Record<string, unknown>>(compiled)
    return rows
      .map((row) => compiled.columns.map((_, index) => String(row[`c${index}`])))
      .filter((row) => row.at(-2) !== '0')
  }

  function expected(isIn: (event: (typeof EVENTS)[number]) => boolean) {
    const sums = new Map<number, [number, number]>()
    for (const event of EVENTS.filter(isIn)) {
      const hour = Math.floor(event.received / HOUR_MS) * HOUR_MS
      const [events, bytes] = sums.get(hour) ?? [0, 0]
      sums.set(hour, [events + 1, bytes + event.size])
    }
    return [...sums].map(([, sum]) => sum.map(String))
  }

  it.each([
    ['whole quarters', 0, 9 * HOUR_MS],
    ['ragged edges', 7 * QUARTER_MS + 61_000, 6 * HOUR_MS + 1],
    ['less than a quarter', 61_000, 400_000],
  ])('counts a window of %s by receipt', async (_, from, to) => {
    const [startMs, endMs] = [BEGIN_MS + from, BEGIN_MS + to]
    const isIn = ({ received }: { received: number }) => received >= startMs && received < endMs
    const query = '* | datastream received | interval 1 hour'
    const rows = await flow(query, startMs, endMs)
    expect(rows.map((row) => row.slice(1))).toEqual(expected(isIn))
    expect(rows.length).toBeGreaterThan(0)
    const ofHost = await flow('host = h1 | datastream received | interval 1 hour', startMs, endMs)
    expect(ofHost.map((row) => row.slice(1))).toEqual(
      expected((event) => isIn(event) && event.host === 'h1'),
    )
  })

  it('counts all data, and by event time without the word', async () => {
    const all = await flow('* | datastream received | interval 1 hour', null, null)
    expect(all.map((row) => row.slice(1))).toEqual(expected(() => true))
    const byTime = await flow('* | datastream | interval 1 hour', BEGIN_MS, BEGIN_MS + HOUR_MS)
    expect(byTime.map((row) => row.slice(1))).not.toEqual(
      all.slice(0, 1).map((row) => row.slice(1)),
    )
  })
})
