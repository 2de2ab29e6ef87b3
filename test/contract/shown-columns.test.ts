// The store and the reader of its rows cut the same columns out of an event (schemas/shown-columns.ts).
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrateStore } from '../../infra/store/migrate.ts'
import type { Store } from '../../infra/store/port.ts'
import { EVENT_COLUMNS } from '../../schemas/event-row.ts'
import { printNames, readShownColumns, SHOWN_NAMES_SQL } from '../../schemas/shown-columns.ts'
import { startEmbeddedStore } from '../support/embedded-store.ts'
import { encodeNative } from '../support/native-encoder.ts'
import { STORE_VARIANTS } from '../support/store-variants.ts'
import { eventsInsert, NOON_MS, printOther } from '../support/stored-event.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 5 })
const name = text.filter((one) => one !== '' && !one.includes('\x02') && !one.includes('\ufffd'))
const value = text.map((one) => one.replaceAll('\x1f', ' '))
const pairs = fc.dictionary(name, text, { maxKeys: 2 })
const event = fc.record({
  columns: fc.dictionary(name, value, { maxKeys: 5 }),
  behind: fc.array(value, { maxLength: 3 }),
  others: pairs,
  ids: pairs,
})

describe.each(STORE_VARIANTS)('shown columns: $name', ({ skipped, open }) => {
  let store: Store
  let stop: () => Promise<void> = async () => {}
  beforeAll(async () => {
    if (!skipped) ({ store, stop } = await open())
  })
  afterAll(() => stop())

  it.skipIf(skipped)('have the names that the reader finds', async () => {
    const rows = fc
      .sample(event, { numRuns: 300, seed: 11 })
      .map(({ columns, behind, others, ids }) => ({
        names: printNames(Object.keys(columns)),
        rest: [...Object.values(columns), ...behind].map((one) => `\x1f${one}`).join(''),
        others: Object.entries(others)
          .map(([other, its]) => printOther(other, its))
          .join(''),
        ids,
      }))
    await store.insertNative(eventsInsert('shown', rows))
    const named = await store.query<{ found: string[] }>({
      sql: `SELECT ${SHOWN_NAMES_SQL} AS found FROM events ORDER BY offset`,
    })
    const read = rows.map(({ ids, ...row }) =>
      readShownColumns({ ...row, ids: Object.entries(ids) }),
    )
    expect(named.map(({ found }) => [...new Set(found)].sort())).toEqual(
      read.map((columns) => [...columns.keys()].sort()),
    )
    expect(read.filter((columns) => columns.size > 3).length).toBeGreaterThan(20)
  })
})

it('of events from before there were names are those of the JSON column, also behind a merge', async () => {
  const { store, stop } = await startEmbeddedStore()
  try {
    for (const sql of [
      'ALTER TABLE events DROP COLUMN names, DROP COLUMN others',
      'TRUNCATE TABLE migrations',
    ])
      await store.command({ sql })
    const known = EVENT_COLUMNS.filter(({ name }) => name !== 'names' && name !== 'others')
    const columns = known.map(({ name }) => name)
    const shown = async () => {
      const rows = await store.query<{ others: string; found: string[] }>({
        sql: `SELECT others, ${SHOWN_NAMES_SQL} AS found FROM events ORDER BY offset`,
      })
      return rows.map(({ others, found }) => [others, found])
    }
    const old = { text: 'a\x1fb\x1b_', list: '[1]', large: 1e30, small: 1.5, yes: true, 'a.b': 'x' }
    const insert = async (offset: number) => {
      const event = { offset, rest: '\x1fa\x1fb', ids: { id: '0123456789abcdef' }, columns: old }
      const rows = [{ policy: 1, received: NOON_MS, timestamp: 0n, ...event }]
      await store.insertNative({
        table: 'events',
        columns,
        block: encodeNative(known, rows),
        queryId: `old-${offset}`,
      })
    }
    await insert(1)
    await migrateStore(store)
    // A writer of before, beside a newer one.
    await insert(2)
    await store.insertNative(
      eventsInsert('new', [{ names: 'n', rest: '\x1f5', columns: { n: 5 }, others: '' }], 3),
    )
    const texts = {
      'a.b': 'x',
      large: '1e+30',
      list: '[1]',
      small: '1.5',
      text: 'a\x1fb\x1b_',
      yes: 'true',
    }
    const others = Object.entries(texts).map(([name, text]) => printOther(name, text))
    const before = [others.join(''), [...Object.keys(texts), 'id']]
    expect(await shown()).toEqual([before, before, ['', ['n']]])
    await store.command({ sql: 'OPTIMIZE TABLE events FINAL' })
    expect(await shown()).toEqual([before, before, ['', ['n']]])
  } finally {
    await stop()
  }
})
