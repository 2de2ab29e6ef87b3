// A filter of single events decides as the reference evaluator does of the same events, in logs of
// all kinds (docs/decisions/0100); what it cannot know it refuses.
import { describe, expect, it } from 'vitest'
import { type FilteredEvent, makeEventFilter } from '../../../../query/language/event-filter.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { parseQuery } from '../../../support/reference/parse/parse-query.ts'
import { EVENT_COLUMNS, WORDS } from '../../../support/reference/random/query-columns.ts'
import { makeRandom } from '../../../support/reference/random/random.ts'
import { randomFilter } from '../../../support/reference/random/random-filter.ts'
import { makeWorld } from '../../../support/reference/random/random-world.ts'
import { evaluateQuery } from '../../../support/reference/rows.ts'
import type { ReferenceEvent, World } from '../../../support/reference/run/model.ts'
import { readSeed } from '../../../support/run/seed.ts'
import { series } from '../../../support/run/tier.ts'

const FILTERS = Number(process.env.LOGEYE_TEST_EVENT_FILTERS ?? series(200, 600))
const SEED = readSeed('LOGEYE_TEST_EVENT_FILTER_SEED', 7)
const KNOWN = ['message', 'host', 'source'] as const
const STORED_ONLY = new Set(['log', 'folder', 'apptags', 'size', 'timestamp'])
const SEVERAL_WORDS = /\b(?:Bytes Sent|Remote IP|Session ID)\b/g

const { world } = makeWorld({
  ...{ seed: SEED, events: 160, firstLogId: 1, zone: 'UTC' },
  ...{ startMs: Date.UTC(2026, 2, 7), lengthMs: 3_600_000 },
})
/** A log by itself: another one's columns say which of two spellings comes first. */
const worlds = world.logs.map(
  (log): World => ({
    ...world,
    logs: [log],
    events: world.events.filter((event) => event.log === log),
  }),
)

function toFiltered({ message, host, source, texts, columns }: ReferenceEvent): FilteredEvent {
  const values = Object.entries(columns)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => ({
      name: name.toLowerCase(),
      value: { text: String(value), isNumber: typeof value === 'number' },
    }))
  return {
    ...{ host, source },
    message: () => message,
    text: () => texts.join('\u001f'),
    column: (folded) => values.find(({ name }) => name === folded)?.value,
  }
}

describe('a filter of single events', () => {
  it(`passes the events that the reference finds (seed ${SEED})`, () => {
    const differing: string[] = []
    let [asked, found, refused] = [0, 0, 0]
    for (let number = 0; asked < FILTERS && number < 20 * FILTERS; number += 1) {
      const random = makeRandom(SEED * 1_000_003 + number)
      const text = randomFilter(random, {
        ...{ hasScopes: false, times: [], words: WORDS, scopes: [], subQuery: () => null },
        columns: EVENT_COLUMNS.filter(({ name }) => !STORED_ONLY.has(name)),
        ...{ isTable: false, hasWords: true, isSubQuery: false },
      }).replaceAll(SEVERAL_WORDS, (name) => `"${name}"`)
      const passes = filterOf(text)
      if (passes === undefined) {
        refused += 1
        continue
      }
      asked += 1
      for (const one of worlds) {
        const expected = evaluateQuery(parseQuery(text, one), one).rows.map(({ event }) => event)
        const own = one.events.filter((event) => passes(toFiltered(event)))
        found += own.length
        if (new Set([...own, ...expected]).size !== own.length || own.length !== expected.length)
          differing.push(`${one.logs[0]?.name}: ${text} (${own.length} for ${expected.length})`)
      }
    }
    expect(differing).toEqual([])
    expect(asked).toBe(FILTERS)
    expect(found).toBeGreaterThan(10 * FILTERS)
    expect(refused).toBeGreaterThan(0)
  })

  it.each([
    ['Bytes Sent > 5', 'a column of several words stands in quotation marks'],
    ['not Bytes Sent > 5', 'a column of several words stands in quotation marks'],
    ['message matches "(a+)+$"', 'matches is not possible'],
    ['user = column.owner', 'a value is expected'],
    ['error in log.web', 'a scope (in …) is not possible'],
    ['error in last 1 hour', 'in'],
    ['timestamp > now-1h', 'known of an event only when it is stored'],
    ['size > 1kb', 'known of an event only when it is stored'],
    ['latency > 500ms', 'numbers have no units here'],
    ['due > now-1h', 'is a time'],
    ['ip within 10.0.0.0/99', 'CIDR'],
    ['error | count', 'without anything after a |'],
    [Array(101).fill('x').join(' or '), 'at most 100 parts'],
  ])('refuses %s', (text, reason) => {
    expect(() => makeEventFilter(text, KNOWN)).toThrow(reason)
  })

  it.each([
    '"Bytes Sent" > 5',
    'error and sent > 5',
    'error column.sent > 5',
    '*time*',
    'a*b*c?d*e',
    'level = *or*',
  ])('takes %s', (text) => {
    expect(makeEventFilter(text, KNOWN)).toBeTypeOf('function')
  })

  it('looks at a long text in time', { timeout: 30_000 }, () => {
    const passes = makeEventFilter('*a*b or a*a*a*c or value = *a*b*c', KNOWN)
    const text = 'a'.repeat(60_000)
    const event = toFiltered({ ...(world.events[0] ?? expect.fail()), texts: [text] })
    expect(passes({ ...event, column: () => ({ text, isNumber: false }) })).toBe(false)
  })
})

function filterOf(text: string) {
  try {
    return makeEventFilter(text, KNOWN)
  } catch (error) {
    if (!isFailure(error)) throw error
    return undefined
  }
}
