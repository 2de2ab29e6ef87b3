// What the compiler does in two steps because it is quicker over many rows gives what one step
// gives: words of the index that a wildcard stands for are asked for first; a calculation over a
// day and more asks first where rare texts are, and reads the rows of groups with several spellings
// again, or refuses them where it is asked to.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { compileSearch } from '../../../query/language/compile-search.ts'
import type { CompiledSearch } from '../../../query/language/compiled.ts'
import type { SearchInput } from '../../../query/language/search-input.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { BASE_MS, WORDS } from '../../support/data/hostile-events.ts'
import { escapeWord, filterTexts } from '../../support/data/random-filters.ts'
import { evaluate } from '../../support/reference/run/evaluate.ts'
import { mapAtOnce } from '../../support/run/map-at-once.ts'
import { sampleOf, series } from '../../support/run/tier.ts'
import {
  COLUMNS,
  compile,
  EVENTS,
  HOSTILE_WORLD,
  insertHostileEvents,
  VISIBLE,
} from '../../support/store/language-store.ts'
import { openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const HOUR_MS = 3_600_000
const AT_ONCE = 4
const GROUPED = series(15, 30)
/** All events lie in either. */
const SHORT = { startMs: BASE_MS - HOUR_MS, endMs: BASE_MS + HOUR_MS }
const LONG = { startMs: BASE_MS - 100 * HOUR_MS, endMs: BASE_MS + 100 * HOUR_MS }
const OPEN = { startMs: null, endMs: null }
const KEYS = ['Method', 'STATUS', 'Level', 'trace', 'Flag', 'host', 'log', 'apptags', 'dur (ms)']

describe.each(STORE_VARIANTS)('two steps on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    await insertHostileEvents(store)
  })

  function compileIn(text: string, window: SearchInput['window']) {
    return compileSearch({
      text,
      visibleLogs: VISIBLE,
      columns: COLUMNS,
      window,
      dateFormat: 'MM/dd/yyyy HH:mm:ss',
      timeZone: 'UTC',
      nowMs: HOSTILE_WORLD.nowMs,
      maxRows: 10_000,
    })
  }

  /** Two threads add in any order: the last digits of a mean are not compared. */
  const rowsIn = async (text: string, window: SearchInput['window']) =>
    await rowsOf(compileIn(text, window))

  const rowsOf = async (statement: Pick<CompiledSearch, 'sql' | 'params' | 'settings'>) => {
    const rows = await store.query<Record<string, unknown>>(statement)
    const short = (cell: unknown) =>
      typeof cell === 'number' ? Number(cell.toPrecision(12)) : cell
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, short(cell)])),
    )
  }

  it('find the beginnings, ends and parts of words where a scan finds them', async () => {
    const pieces = new Set(WORDS.flatMap((word) => [word, word.slice(0, 2), word.slice(-3)]))
    const words = [...pieces].filter((piece) => piece !== '' && !/\s/.test(piece)).map(escapeWord)
    const forms = [
      (word: string) => `${word}*`,
      (word: string) => `*${word}`,
      (word: string) => `*${word}*`,
      (word: string) => `NOT ${word}*`,
    ]
    const texts = forms.flatMap((form, table) => sampleOf(words, table).map(form))
    const areByIndex = await mapAtOnce(texts, AT_ONCE, async (text) => {
      const compiled = compile(text)
      const rows = await store.query<{ size: number }>(compiled)
      const found = rows.map(({ size }) => size)
      const expected = evaluate(`${text} | list size`, HOSTILE_WORLD).rows
      expect({ text, found }).toEqual({ text, found: expected.map(([size]) => Number(size)) })
      return compiled.sql.includes('mergeTreeTextIndex')
    })
    expect(areByIndex.filter(Boolean).length).toBeGreaterThan(texts.length / 20)
  }, 300_000)

  it('count phrases of messages and of values where a scan finds them', async () => {
    const texts = EVENTS.flatMap(({ message, values }) => [message, ...values])
    const phrases = new Set(
      texts.flatMap((text) => text.match(/[\p{L}\p{Nd}_]+[\t\n ]+[\p{L}\p{Nd}_]+/u)?.[0] ?? []),
    )
    // Words that stand in one event, never beside each other.
    const some = [...phrases].slice(0, series(25, 80))
    const asked = [...some, 'nowhere beside', 'error  timeout', 'Straße 404']
    const queries = asked.flatMap((phrase) => [`"${phrase}" | count`, `NOT "${phrase}" | count`])
    const areAskedFirst = await mapAtOnce(queries, AT_ONCE, async (text) => {
      const expected = evaluate(text, { ...HOSTILE_WORLD, window: OPEN }).rows
      const rows = await rowsIn(text, OPEN)
      const found = rows.map((row) => Object.values(row).map(String))
      expect({ text, found }).toEqual({ text, found: expected.map((row) => row.map(String)) })
      return /WITH .*¶/s.test(JSON.stringify(compileIn(text, OPEN)))
    })
    expect(areAskedFirst.filter(Boolean).length).toBeGreaterThan(queries.length / 2)
  }, 300_000)

  it('remember where an identifier is not, and show it again', async () => {
    const hits = async () => {
      const sql = `SELECT sum(value) AS hits FROM system.events WHERE event = 'QueryConditionCacheHits'`
      const rows = await store.query<{ hits: string }>({ sql })
      return Number(rows[0]?.hits)
    }
    const [id = ''] = EVENTS.flatMap(({ ids }) => Object.values(ids))
    const found = await rowsOf(compile(id))
    expect(found.length).toBeGreaterThan(0)
    const before = await hits()
    expect(await rowsOf(compile(id))).toEqual(found)
    expect(await hits()).toBeGreaterThan(before)
  })

  it('give the groups that one step gives', async () => {
    const keys = fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 2 })
    const functions = fc.constantFrom(
      'count',
      'count, avg STATUS, distinct count Method',
      'sum STATUS, max Level',
      'first Method, last Level, values Flag',
    )
    const query = fc
      .tuple(fc.oneof(fc.constant('*'), filterTexts()), functions, keys, fc.boolean())
      .map(
        ([filter, calls, by, isTimed]) =>
          `${filter} | ${calls} | group by ${by.join(', ')}${isTimed ? ' | interval 5 seconds' : ''}`,
      )
    let late = 0
    let quick = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom(OPEN, LONG), async (text, window) => {
        if (/ AS MATERIALIZED /.test(compileIn(text, window).sql)) late += 1
        expect(compileIn(text, SHORT).sql).not.toContain('MATERIALIZED')
        const expected = await rowsIn(text, SHORT)
        expect(await rowsIn(text, window)).toEqual(expected)
        const compiled = compileIn(text, window)
        if (compiled.kind !== 'table' || !compiled.quickSql) return
        expect(compiled.quickSql).not.toContain('MATERIALIZED')
        const rows = await rowsOf({ ...compiled, sql: compiled.quickSql }).catch(
          (error: unknown) => error,
        )
        if (isFailure(rows) && rows.code === 'store.several_spellings') refused += 1
        else {
          quick += 1
          expect(rows).toEqual(expected)
        }
      }),
      { numRuns: GROUPED },
    )
    expect(late).toBeGreaterThan(GROUPED / 4)
    expect(quick).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  }, 300_000)

  it('count what one step counts', async () => {
    await fc.assert(
      fc.asyncProperty(filterTexts(), async (filter) => {
        const text = `${filter} | count, count Method, distinct count STATUS`
        expect(await rowsIn(text, OPEN)).toEqual(await rowsIn(text, SHORT))
      }),
      { numRuns: series(15, 50) },
    )
  }, 300_000)
})
