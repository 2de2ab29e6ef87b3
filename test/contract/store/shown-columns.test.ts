// The store and the reader of its rows cut the same columns out of an event
// (schemas/shown-columns.ts).
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import {
  idSql,
  printNames,
  readShownColumns,
  SHOWN_NAMES_SQL,
} from '../../../schemas/shown-columns.ts'
import { STORE_VARIANTS } from '../../support/store/store-variants.ts'
import { eventsInsert, idsOf, printOther } from '../../support/store/stored-event.ts'

const AN_ID = '0123456789abcdef'
const letter = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.constantFrom('\x1b', '\x1f', '\x02', '[', '_', '\n'),
)
const text = fc.string({ unit: letter, maxLength: 5 })
const name = text.filter((one) => one !== '' && !one.includes('\x02') && !one.includes('\ufffd'))
const value = text.map((one) => one.replaceAll('\x1f', ' '))
const pairs = fc.dictionary(name, text, { maxKeys: 2 })
const event = fc.record({
  columns: fc.dictionary(name, value, { maxKeys: 5 }),
  behind: fc.array(value, { maxLength: 3 }),
  others: pairs,
  ids: fc.dictionary(name, fc.stringMatching(/^[0-9a-f-]{16,20}$/), { maxKeys: 3 }),
})

describe.each(STORE_VARIANTS)('shown columns: $name', ({ open }) => {
  let store: Store
  let stop: () => Promise<void> = async () => {}
  beforeAll(async () => {
    ;({ store, stop } = await open())
  })
  afterAll(() => stop())

  it('are what was stored for the reader, and have the names that it finds', async () => {
    const events = fc.sample(event, { numRuns: 300, seed: 11 })
    const rows = events.map(({ columns, behind, others, ids }) => ({
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
    const read = rows.map((row) => {
      const { id_names, ids } = idsOf(row)
      return readShownColumns({ ...row, idNames: id_names, ids })
    })
    const wanted = events.map(({ columns, others, ids }) => {
      const present = Object.entries(columns).filter(([, one]) => one !== '')
      return new Map([...present, ...Object.entries(others), ...Object.entries(ids)])
    })
    expect(read).toEqual(wanted)
    expect(named.map(({ found }) => [...new Set(found)].sort())).toEqual(
      read.map((columns) => [...columns.keys()].sort()),
    )
    expect(read.filter((columns) => columns.size > 3).length).toBeGreaterThan(20)
  })

  it('find an identifier by its name', async () => {
    const odd = 'id "1"'
    const events: Record<string, string>[] = [
      {},
      { a: AN_ID },
      { a: '1'.repeat(16), [odd]: AN_ID },
      { [odd]: AN_ID },
    ]
    await store.insertNative(
      eventsInsert(
        'ids',
        events.map((ids) => ({ ids })),
        1000,
      ),
    )
    for (const name of [odd, 'a', 'id', 'id "1', '\x02', "'", '']) {
      const rows = await store.query<{ found: string }>({
        sql: `SELECT ${idSql('{name:String}')} AS found FROM events WHERE offset >= 1000 ORDER BY offset`,
        params: { name },
      })
      const wanted = events.map((ids) => new Map(Object.entries(ids)).get(name) ?? '')
      expect({ name, found: rows.map(({ found }) => found) }).toEqual({ name, found: wanted })
    }
  })
})
