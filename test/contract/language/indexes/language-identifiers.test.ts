// Several identifiers in one search: found as each alone is, in texts and among the identifiers of
// an event, and never by a scan.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../infra/store/port.ts'
import { compileSearch } from '../../../../query/language/compile-search.ts'
import type { SearchableLog, SearchInput } from '../../../../query/language/search-input.ts'
import { evaluate } from '../../../support/reference/run/evaluate.ts'
import type { World } from '../../../support/reference/run/model.ts'
import { series } from '../../../support/run/tier.ts'
import { openForTests, STORE_VARIANTS } from '../../../support/store/store-variants.ts'
import { eventsInsert, NOON_MS, type StoredEvent } from '../../../support/store/stored-event.ts'

const HOUR_MS = 3_600_000
const CLOSED = { startMs: NOON_MS - HOUR_MS, endMs: NOON_MS + HOUR_MS }
const OPEN = { startMs: null, endMs: null }

/** Some share a part, hold each other, or have a part without a digit. */
const TERMS = [
  '6f0f8a52-7d3c-4c6e-9a1b-1f2e3d4c5b6a',
  '00000000-7d3c-4c6e-9a1b-1f2e3d4c5b6a',
  'cafebabe-dead-beef-0123-456789abcdef',
  'deadbeef-dead-beef-dead-beefdeadbeef',
  '1f2e3d4c5b6a',
  '456789abcdef',
  '9f3c5b7a1d2e4f60a1b2c3d4e5f60718',
  'abc12345',
  '12345678901',
  '123456',
]
/** Each term whole, in capitals, longer by a character at an end, beside others, and cut. */
const TEXTS = TERMS.flatMap((term) => [
  `é${term}`,
  term,
  term.toUpperCase(),
  `at ${term}, then`,
  `${term}0 and a${term}`,
  `_${term}`,
  `x-${term}-y=${term}`,
  term.slice(0, -1),
])
const EVENTS = TEXTS.flatMap((text) => [
  { message: text, value: 'nothing', id: '' },
  { message: 'nothing', value: text, id: '' },
  ...(/^[0-9a-fA-F-]+$/.test(text) ? [{ message: 'nothing', value: '', id: text }] : []),
])

const log = (id: number): SearchableLog => ({
  id,
  folder: ['Events'],
  name: `log ${id}`,
  appTags: [],
  typeWords: [],
})
const logs = (...ranges: [number, number][]) =>
  ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => log(first + at)),
  )
/** As ranges and as lists. */
const SEEN = {
  'one run of logs': logs([1, 60]),
  'two runs of logs': logs([1, 20], [22, 60]),
  'scattered logs': logs([1, 20], [22, 40], [42, 60]),
}

function compile(
  text: string,
  visibleLogs = SEEN['one run of logs'],
  window: SearchInput['window'] = CLOSED,
) {
  const columns = new Map([[1, [{ logId: 1, name: 'level', kind: 'text' as const, position: 1 }]]])
  const style = { dateFormat: 'MM/dd/yyyy HH:mm:ss', timeZone: 'UTC', nowMs: 0 }
  return compileSearch({ ...style, text, visibleLogs, columns, window, maxRows: 1000 })
}

/** In which all events are. */
const LOG = log(1)
const WORLD: World = {
  events: EVENTS.map(({ message, value, id }, size) => ({
    ...{ log: LOG, arrival: size, timestampMs: NOON_MS, host: '', source: '', raw: '' },
    ...{ message, size, texts: [message, value, id], columns: {} },
  })),
  logs: [LOG],
  names: new Map(),
  window: CLOSED,
  zone: 'UTC',
  nowMs: 0,
}

const QUOTED = TERMS.map((term) => `"${term}"`)
/** Words with wildcards, some with a whole part that tells. */
const WILD = [
  '1f2e3d4c5b6a-*',
  '6f0f8a52-7d3c-*',
  '*abc12345',
  'abc12345*',
  '1234567890?',
  'é12345678901',
]
/** Too many to be looked for one by one. */
const OTHERS = Array.from({ length: 9 }, (_, at) => `x${at}*y`)
/** None is in the store. */
const id = (at: number) => `7e57${(0xabc_0000 + at).toString(16)}0123456789`
const uuid = (at: number) => `7e57ab1e-0123-4567-89ab-${(0x1234_5678_9abc + at).toString(16)}`
const MANY = Array.from({ length: 250 }, (_, at) => (at % 2 === 0 ? id(at) : uuid(at)))

describe.each(STORE_VARIANTS)('identifiers on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    const rows = EVENTS.map(
      ({ message, value, id }, size): StoredEvent => ({
        size,
        message,
        rest: `\u001f${value}`,
        ids: id === '' ? {} : { trace: id },
      }),
    )
    await store.insertNative(eventsInsert('identifiers', rows))
  })

  const found = async (text: string) =>
    (await store.query<{ size: number }>(compile(text)))
      .map(({ size }) => Number(size))
      .sort((a, b) => a - b)

  it('are found together where each is found alone', async () => {
    const terms = fc.uniqueArray(fc.constantFrom(...QUOTED, ...WILD), { minLength: 1 })
    const beside = fc.constantFrom([], [], OTHERS, MANY.slice(0, 120))
    await fc.assert(
      fc.asyncProperty(
        ...[terms, beside, fc.constantFrom('AND', 'OR'), fc.boolean()],
        async (some, more, op, not) => {
          const joined = [...some, ...(op === 'OR' ? more : [])].join(` ${op} `)
          const text = not ? `NOT (${joined})` : joined
          const rows = evaluate(`${text} | list size`, WORLD).rows.map(([size]) => Number(size))
          expect({ text, rows: await found(text) }).toEqual({
            text,
            rows: rows.toSorted((a, b) => a - b),
          })
        },
      ),
      { numRuns: series(20, 120) },
    )
  }, 120_000)

  it.each(
    Object.keys(SEEN).flatMap((seen) => [
      { seen, text: id(1) },
      { seen, text: `${id(1)} ${id(2)}` },
      { seen, text: `"${uuid(1)}" "${uuid(2)}"` },
      { seen, text: `${id(1)} error* "disk full" level = ERROR` },
      { seen, text: `${id(1)} OR ${id(2)} OR ${id(3)} OR "${uuid(4)}" OR nowhereword` },
      { seen, text: `level = ERROR (${MANY.slice(0, 30).join(' OR ')})` },
      { seen, text: MANY.join(' OR ') },
    ]),
  )('are asked of the indexes within $seen: $text', async ({ seen, text }) => {
    const visible = SEEN[seen as keyof typeof SEEN]
    for (const window of [CLOSED, OPEN]) {
      const { sql, params, settings } = compile(text, visible, window)
      const rows = await store.query<{ explain: string }>({
        sql: `EXPLAIN indexes = 1 ${sql}`,
        params,
        settings,
      })
      expect(rows.map(({ explain }) => explain).join('\n')).toMatch(/Combined/)
    }
  })
})
