// Which events compiled queries find on the real engine, against the reference over the same
// events.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import type { SearchableLog } from '../../../query/language/search-input.ts'
import { readQueries } from '../../support/cases/read-queries.ts'
import { WORDS } from '../../support/data/hostile-events.ts'
import { escapeWord, filterTexts } from '../../support/data/random-filters.ts'
import { evaluate } from '../../support/reference/run/evaluate.ts'
import { series } from '../../support/run/tier.ts'
import {
  compile,
  EVENTS,
  HOSTILE_WORLD,
  insertHostileEvents,
  VISIBLE,
} from '../../support/store/language-store.ts'
import { openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

describe.each(STORE_VARIANTS)('compiled queries on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    await insertHostileEvents(store)
  })

  /** Numbers of the events found, in order. */
  async function find(text: string, visibleLogs: readonly SearchableLog[] = VISIBLE) {
    const compiled = compile(text, visibleLogs)
    if (compiled.kind !== 'events') throw new Error('a table')
    const rows = await store.query<{ size: number }>(compiled)
    return rows.map(({ size }) => size)
  }

  async function countUpTo(countLimit: number, text: string) {
    const { countSql, params, settings } = compile(text)
    const counting = { sql: countSql, params: { ...params, countLimit }, settings }
    const [row] = await store.query<{ total: string }>(counting)
    return Number(row?.total)
  }

  it.each([...new Set(WORDS.flatMap((word) => [word, word.toUpperCase()]))])(
    'find the word %j where a scan finds it',
    async (word) => {
      const texts = [escapeWord(word), `"${word.replace(/["\\]/g, '\\$&')}"`]
      expect(await Promise.all(texts.map((text) => find(text)))).toEqual(texts.map(naive))
    },
  )

  it.each(readQueries('language/found.txt'))('find for %s what a scan finds', async (text) => {
    expect(await find(text)).toEqual(naive(text))
  })

  it('find for random filters what a scan finds', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(filterTexts(), async (text) => {
        expect(await find(text), text).toEqual(naive(text))
      }),
      { numRuns: series(40, 150) },
    )
  })

  it('count the whole result, as far as asked', async () => {
    for (const text of ['*', 'error', 'Status > 1 | where cafe', '* | limit 7']) {
      expect(await countUpTo(10_000, text)).toBe(naive(text).length)
    }
    expect(await countUpTo(3, '*')).toBe(3)
  })

  it('read no log but the visible ones', async () => {
    expect(await find('* in log.hidden')).toEqual([])
    expect(await find('NOT error OR * in folder.Secret', [])).toEqual([])
    expect((await find('*')).some((number) => eventOf(number).log.name === 'hidden')).toBe(false)
  })
})

function eventOf(number: number) {
  const event = EVENTS[number - 100]
  if (!event) throw new Error(`no event ${number}`)
  return event
}

/** Numbers of the events that the reference finds, newest first, ties in reverse order of
 *  arrival. */
function naive(text: string): number[] {
  return evaluate(`${text} | list size`, HOSTILE_WORLD).rows.map(([size]) => Number(size))
}
