// Every word of hostile texts (LOGEYE_REFERENCE_TEXTS=1000 by hand), searched through
// the compiler and its indexes, is found in the events in which a plain scan finds it, and in no
// others. LOGEYE_REFERENCE_SEED=random for other texts.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../../infra/store/port.ts'
import { hostileText, IDENTIFIERS, termsOf } from '../../../support/data/hostile-texts.ts'
import { escapeWord } from '../../../support/data/random-filters.ts'
import { makeRandom } from '../../../support/reference/random/random.ts'
import { storeWorld } from '../../../support/reference/random/random-world.ts'
import { evaluate } from '../../../support/reference/run/evaluate.ts'
import type { ReferenceEvent } from '../../../support/reference/run/model.ts'
import { readSeed } from '../../../support/run/seed.ts'
import { series } from '../../../support/run/tier.ts'
import { compileText } from '../../../support/store/run-compiled.ts'
import { openForTests, STORE_VARIANTS } from '../../../support/store/store-variants.ts'

const TEXTS = Number(process.env.LOGEYE_REFERENCE_TEXTS ?? series(60, 400))
const SEED = readSeed('LOGEYE_REFERENCE_SEED', 1)
const AT_ONCE = 4
const MOST_FAULTS = 20
const START_MS = Date.UTC(2026, 2, 1)

const log = { id: 1, folder: ['Words'], name: 'texts', appTags: [], typeWords: [] }

describe.each(STORE_VARIANTS)('words on $name', ({ open }) => {
  const random = makeRandom(SEED)
  const events = Array.from({ length: TEXTS }, (_, index) => makeEvent(index))
  const stored = {
    world: {
      events,
      logs: [log],
      names: new Map([[1, ['value', 'id']]]),
      window: { startMs: null, endMs: null },
      zone: 'UTC',
      nowMs: 0,
    },
    columns: new Map([
      [
        1,
        [
          { logId: 1, name: 'value', kind: 'text' as const, position: 0 },
          { logId: 1, name: 'id', kind: 'id' as const, position: 1 },
        ],
      ],
    ]),
  }
  let store: Store

  /** The text is the message, a value beside it, or part of an event taken whole. */
  function makeEvent(index: number): ReferenceEvent {
    const columns: Record<string, string> = {}
    if (index % 3 === 1) columns.value = hostileText(random)
    if (index % 7 === 0) columns.id = random.pick(IDENTIFIERS)
    const text = hostileText(random)
    const raw = index % 10 === 0 ? JSON.stringify({ text }) : ''
    return {
      log,
      arrival: index,
      timestampMs: START_MS + index * 1000,
      host: 'web-01',
      source: 'Default',
      message: raw === '' ? text : raw,
      raw,
      size: index,
      texts: [text, ...Object.values(columns)],
      columns,
    }
  }

  openForTests(open, async (opened) => {
    store = opened
    await storeWorld(store, events, 0)
  })

  async function differenceOf(query: string): Promise<string | null> {
    const expected = evaluate(`${query} | list size`, stored.world).rows.map(([size]) =>
      Number(size),
    )
    const rows = await store.query<{ size: number }>(await compileText(store, query, stored))
    const found = rows.map(({ size }) => Number(size))
    if (JSON.stringify(found) === JSON.stringify(expected)) return null
    const missed = expected.filter((size) => !found.includes(size))
    const wrong = found.filter((size) => !expected.includes(size))
    const shown = (sizes: readonly number[]) =>
      sizes.slice(0, 2).map((size) => JSON.stringify(events[size]?.texts))
    return `${query}: not found in ${shown(missed)}, wrongly in ${shown(wrong)}`
  }

  it(`finds every word where a scan does (seed ${SEED})`, { timeout: 600_000 }, async () => {
    const terms = [...new Set(events.flatMap(({ texts }) => texts.flatMap(termsOf)))]
    expect(terms.length).toBeGreaterThan(1.5 * TEXTS)
    const queries = terms.flatMap((term, index) => {
      const word = escapeWord(term)
      if (index % 4 === 0) return [word, `"${term.replace(/["\\]/g, '\\$&')}"`]
      return index % 4 === 1 ? [word, escapeWord(term.toUpperCase())] : [word]
    })
    const faults: string[] = []
    const work = async () => {
      while (faults.length < MOST_FAULTS) {
        const query = queries.pop()
        if (query === undefined) break
        const fault = await differenceOf(query)
        if (fault !== null) faults.push(fault)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    expect(faults.join('\n')).toBe('')
  })
})
