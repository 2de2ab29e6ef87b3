// Logs that fall silent, over counters of a real store, at a clock that the test moves.
import { describe, expect, it } from 'vitest'
import { Lease } from '../../../infra/database/lease.ts'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { readSilences } from '../../../infra/metastore/silences/silences.ts'
import type { Store } from '../../../infra/store/port.ts'
import { watchSilence } from '../../../query/statistics/silence/watch-silence.ts'
import { COUNT_COLUMNS } from '../../../schemas/store/tables.ts'
import { makeNewLog } from '../../support/database/new-log.ts'
import { open, useMetastores } from '../../support/database/open-metastores.ts'
import { silentLogger } from '../../support/database/query-database.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { encodeNative } from '../../support/store/native-encoder.ts'
import { openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

useMetastores()

const QUARTER_MS = 900_000
const DAY_MS = 86_400_000
/** A Monday. */
const BEGIN_MS = Date.UTC(2026, 2, 2)

describe.each(STORE_VARIANTS)('silent logs on $name', ({ open: openStore }) => {
  let store: Store
  let inserts = 0
  openForTests(openStore, async (opened) => {
    store = opened
  })

  /** Twenty events in each of these quarters of an hour. */
  async function receive(logId: number, quarters: readonly number[]): Promise<void> {
    inserts += 1
    const rows = quarters.map((quarter) => ({
      ...{ policy: 1, quarter: quarter * 900, event_quarter: quarter * 900, log_id: logId },
      ...{
        host: 'web-01',
        source: 'Default',
        partition: 0,
        events: 20,
        bytes: 1000,
        upto: inserts,
      },
    }))
    await store.insertNative({
      table: 'counts',
      columns: COUNT_COLUMNS.map(({ name }) => name),
      block: encodeNative(COUNT_COLUMNS, rows),
      queryId: `silence-test-${inserts}`,
    })
  }

  async function prepare(names: readonly string[]) {
    await store.command({ sql: 'TRUNCATE TABLE counts' })
    const metastore = await open()
    const logs = await metastore.addLogs(
      names.map((name) => makeNewLog({ folder: ['Shop'], name })),
    )
    const ids = new Map(logs.map(({ name, id }) => [name, id]))
    const lease = new Lease({ database: metastore.database, clock: testClock, name: 'test' })
    const held = await lease.tryTake()
    if (held === undefined) throw new Error('the lease is another one’s')
    const at = (ms: number) =>
      watchSilence({
        ...{ store, metastore, database: metastore.database, logger: silentLogger, held },
        clock: { ...testClock, nowMs: () => ms },
        signal: new AbortController().signal,
      })
    return { metastore, id: (name: string) => ids.get(name) ?? 0, at }
  }

  async function entries(metastore: OpenedMetastore): Promise<readonly string[]> {
    const rows = await metastore.database.read
      .selectFrom('audit')
      .select(['action', 'target'])
      .where('action', 'in', ['log.silent', 'log.heard'])
      .orderBy('id')
      .execute()
    return rows.map(({ action, target }) => `${action} ${target}`)
  }

  const quartersOf = (days: number, isWanted: (quarter: number) => boolean = () => true) => {
    const first = BEGIN_MS / QUARTER_MS
    return Array.from({ length: days * 96 }, (_, at) => first + at).filter(isWanted)
  }
  const isOffice = (quarter: number) => {
    const date = new Date(quarter * QUARTER_MS)
    return date.getUTCDay() % 6 !== 0 && date.getUTCHours() >= 8 && date.getUTCHours() < 18
  }

  it('are told once each, end, and are told again', async () => {
    const { metastore, id, at } = await prepare(['steady', 'office', 'lives', 'new', 'never'])
    const end = BEGIN_MS + 26 * DAY_MS
    await receive(id('steady'), quartersOf(26))
    await receive(id('office'), quartersOf(26, isOffice))
    await receive(id('lives'), quartersOf(27))
    await receive(id('new'), [end / QUARTER_MS - 3])
    // A Saturday: the office is not expected to send.
    expect(await at(end + 2 * 3_600_000)).toEqual(['Shop->steady'])
    expect(await at(end + 3 * 3_600_000)).toEqual([])
    expect(await entries(metastore)).toEqual(['log.silent Shop->steady'])
    await receive(id('steady'), [end / QUARTER_MS + 20])
    await receive(id('lives'), quartersOf(29).slice(27 * 96))
    expect(await at(end + 6 * 3_600_000)).toEqual([])
    expect(await entries(metastore)).toEqual(['log.silent Shop->steady', 'log.heard Shop->steady'])
    // Monday at noon.
    const noonMs = end + 2 * DAY_MS + 12 * 3_600_000
    const told = await at(noonMs)
    expect([...told].sort()).toEqual(['Shop->office', 'Shop->steady'])
    const open = (await readSilences(metastore.database.read, noonMs)).filter(
      ({ endedMs }) => endedMs === null,
    )
    expect(open.map(({ logId }) => logId).sort()).toEqual([id('steady'), id('office')].sort())
  })

  it('that are expected are told by nobody, until they no longer are', async () => {
    const { metastore, id, at } = await prepare(['steady', 'other'])
    const end = BEGIN_MS + 20 * DAY_MS
    await receive(id('steady'), quartersOf(20))
    await receive(id('other'), quartersOf(20))
    await metastore.database.write(async (transaction) => {
      const path = JSON.stringify(['Shop', 'steady'])
      const row = { id: 1, path, from_ms: end, to_ms: end + DAY_MS, reason: '', made_by: 'admin' }
      await transaction
        .insertInto('expected_silences')
        .values({ ...row, made_ms: end })
        .execute()
    })
    expect(await at(end + 3 * 3_600_000)).toEqual(['Shop->other'])
    expect(await at(end + DAY_MS + 3_600_000)).toEqual(['Shop->steady'])
  })

  it('are told by one of two that watch', async () => {
    const { metastore, id, at } = await prepare(['steady'])
    const end = BEGIN_MS + 20 * DAY_MS
    await receive(id('steady'), quartersOf(20))
    const both = await Promise.allSettled([at(end + 7_200_000), at(end + 7_200_000)])
    expect(both.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(await entries(metastore)).toEqual(['log.silent Shop->steady'])
  })
})
