// No text makes the language fail in another way than by a query error with a position, and none
// takes it long.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSearch } from '../../../../query/language/compile-search.ts'
import { MAX_QUERY_CHARACTERS } from '../../../../query/language/parse/input.ts'
import { parseQuery } from '../../../../query/language/parse/parse-query.ts'
import { printQuery } from '../../../../query/language/print/print-query.ts'
import { makeCatalog } from '../../../../query/language/resolve/known-columns.ts'
import type { SearchInput } from '../../../../query/language/search-input.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { printTree } from '../../../support/cases/print-tree.ts'
import { readCases } from '../../../support/cases/read-cases.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'
import { series } from '../../../support/run/tier.ts'

const catalog = makeCatalog(SAMPLE_LOGS, SAMPLE_COLUMNS)
const EXAMPLES = ['examples', 'public', 'binding'].flatMap((file) =>
  readCases(`language/${file}.txt`).map(({ input }) => input),
)
const PIECES = [
  ...[
    '*',
    '?',
    '"',
    '\\',
    '(',
    ')',
    '[',
    ']',
    ',',
    '|',
    '=',
    '!=',
    '>',
    '<=',
    '->',
    '.',
    ' ',
    '\n',
  ],
  ...[
    'and',
    'or',
    'not',
    'in',
    'in (',
    'in [ ',
    'in log.',
    'not in folder.',
    'server.',
    'as ',
    'by',
  ],
  ...['contains', 'not contains', 'starts with', 'matches', 'between', 'within', 'exists', 'null'],
  ...['count', 'distinct count', 'avg', 'percentile', 'group by', 'interval', 'list', 'order by'],
  ...['where', 'limit', 'display only', 'in time format', 'datastream', 'transaction(', 'join [ '],
  ...[
    'Bytes Sent',
    'process time (ms)',
    'column.',
    'event.host',
    'timestamp',
    'log',
    'size',
    'raw',
  ],
  ...[
    'a',
    'x',
    '5',
    '1.10',
    '1e400',
    '10.0.0.0/8',
    '::1',
    'é',
    '日本',
    '\u{1f600}',
    '\ud800',
    '\u0000',
    '\u001f',
  ],
]
const texts = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((list) => list.join(' ')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((list) => list.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .tuple(fc.constantFrom(...EXAMPLES), fc.nat(), fc.nat(8), fc.constantFrom(...PIECES))
    .map(([text, at, length, piece]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + piece + text.slice(place + length)
    }),
)

describe('any text', () => {
  it('gives a tree, or a query error with a position inside it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        outcomeOf(text)
      }),
      { numRuns: series(150, 800) },
    )
  })

  it('that is read is printed as a text of the same tree', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const tree = outcomeOf(text)
        if (tree === undefined) return
        const printed = printQuery(tree)
        expect(printTree(parseQuery(printed, catalog)), printed).toBe(printTree(tree))
      }),
      { numRuns: series(150, 800) },
    )
  })

  it('that is read compiles, or is refused with a position', () => {
    fc.assert(
      fc.property(texts, (text) => {
        compileOrFail(text)
      }),
      { numRuns: series(150, 500) },
    )
  })
})

describe('a long text', () => {
  const cases: readonly [string, (length: number) => string][] = [
    ['of words', (length) => 'word '.repeat(length / 5)],
    ['of words before an operator', (length) => `${'w '.repeat(length / 2 - 5)}= 5`],
    ['of words and operators', (length) => 'a b = c '.repeat(length / 8)],
    ['of words of a known column', (length) => 'process time ( '.repeat(length / 15)],
    ['of alternatives', (length) => `a${' or b'.repeat(length / 5 - 1)}`],
    ['of NOT', (length) => 'not '.repeat(length / 4)],
    ['of open parentheses', (length) => '('.repeat(length)],
    ['of open brackets', (length) => 'a in ['.repeat(length / 6)],
    ['of pairs of parentheses', (length) => '(a)'.repeat(length / 3)],
    ['of quotes', (length) => '"'.repeat(length)],
    ['of backslashes', (length) => '\\'.repeat(length)],
    ['of wildcards', (length) => '*a?'.repeat(length / 3)],
    ['of white space', (length) => ' '.repeat(length)],
    ['of scopes', (length) => `a in log.${'x, log.'.repeat(length / 8)}y`],
    ['of exclusions', (length) => `a ${'not in log.x '.repeat(length / 14)}`],
    ['of stages', (length) => `*${' | count'.repeat(length / 8 - 1)}`],
    ['of one value list', (length) => `Status in (${'5, '.repeat(length / 3 - 10)}6)`],
    ['of one name in a stage', (length) => `* | list ${'x '.repeat(length / 2 - 10)}`],
    ['of one phrase', (length) => `"${'x y '.repeat(length / 4 - 2)}"`],
    ['of in', (length) => 'in '.repeat(length / 3)],
  ]

  it.each(cases)('%s ends, without another failure', { timeout: 30_000 }, (_, make) => {
    const text = make(32_760)
    expect(text.length).toBeLessThanOrEqual(MAX_QUERY_CHARACTERS)
    compileOrFail(text)
  })

  it('of 32,769 characters is refused there', () => {
    expect(errorOf('x'.repeat(32_768))).toBeUndefined()
    expect(errorOf('x'.repeat(32_769))).toMatchObject({ position: 32_769 })
  })
})

describe('limits', () => {
  it('are 50 levels', () => {
    expect(errorOf(`${'('.repeat(50)}a${')'.repeat(50)}`)).toBeUndefined()
    expect(errorOf(`${'('.repeat(51)}a${')'.repeat(51)}`)).toMatchObject({ position: 52 })
    expect(errorOf(`${'not '.repeat(51)}a`)).toMatchObject({ position: 205 })
  })

  it('are 40 stages', () => {
    expect(errorOf(`*${' | limit 5'.repeat(40)}`)).toBeUndefined()
    expect(errorOf(`*${' | limit 5'.repeat(41)}`)).toMatchObject({ position: 405 })
  })
})

function outcomeOf(text: string) {
  try {
    return parseQuery(text, catalog)
  } catch (error) {
    expectQueryError(error, text)
    return undefined
  }
}

function compileOrFail(text: string): void {
  try {
    compileSearch(inputOf(text))
  } catch (error) {
    // Thousands of conditions that no index answers: code 5.
    if (isFailure(error) && error.code === 'search.resources') return
    expectQueryError(error, text)
  }
}

function errorOf(text: string) {
  try {
    compileSearch(inputOf(text))
    return undefined
  } catch (error) {
    expectQueryError(error, text)
    return isFailure(error) ? error.details : undefined
  }
}

function expectQueryError(error: unknown, text: string): void {
  if (!isFailure(error) || error.code !== 'search.query') throw error
  const { position, reason } = error.details
  expect(reason).toEqual(expect.any(String))
  expect(position).toBeGreaterThanOrEqual(1)
  expect(position).toBeLessThanOrEqual(text.length + 1)
}

function inputOf(text: string): SearchInput {
  return {
    text,
    visibleLogs: SAMPLE_LOGS,
    columns: SAMPLE_COLUMNS,
    window: { startMs: 1_772_366_400_000, endMs: 1_772_452_800_000 },
    dateFormat: 'MM/dd/yyyy HH:mm:ss',
    timeZone: 'Europe/Berlin',
    nowMs: 1_772_452_800_000,
    maxRows: 100,
  }
}

describe('the rows of a block', () => {
  const compile = (text: string, maxRows: number | null = 100) =>
    compileSearch({
      text,
      visibleLogs: SAMPLE_LOGS,
      columns: SAMPLE_COLUMNS,
      window: { startMs: null, endMs: null },
      dateFormat: 'MM/dd/yyyy HH:mm:ss',
      timeZone: 'UTC',
      nowMs: 1_772_452_800_000,
      maxRows,
    } satisfies SearchInput)

  it('are fewer where much is worked out for each row, so that a cancel is seen', () => {
    const tests = Array.from({ length: 150 }, (_, n) => `message matches "a[0-9]{${n % 9}}b"`)
    expect(compile(tests.join(' OR ')).settings.max_block_size).toBe(436)
  })

  it('stay as few where an identifier is asked for among much else', () => {
    const id = '6c65f193506c977e6ddd77e4c6fa1c54'
    const remembered = (text: string) => compile(text).settings.use_skip_indexes_for_top_k
    expect(remembered(id)).toBe(0)
    expect(remembered('timeout')).toBeUndefined()
    const tests = Array.from({ length: 20 }, (_, n) => `message matches "a${n}b"`)
    expect(remembered(`${id} OR ${tests.join(' OR ')}`)).toBeUndefined()
  })

  it('are out of question where repetitions are too large for the engine to be ended in time', () => {
    const tests = (count: number) =>
      Array.from({ length: count }, (_, n) => `message matches "[b-y][0-9]{${20 + n}}"`).join(
        ' OR ',
      )
    expect(() => compile(tests(150))).toThrow('add up to more than 5000')
    expect(() => compile(tests(60))).not.toThrow()
  })

  it('are few where the newest events are enough, and the engine’s own where all are read', () => {
    expect(compile('disk full').settings.max_block_size).toBe(4096)
    for (const [text, maxRows] of [
      ['disk full', null],
      ['disk full', 1_000_000],
      ['disk full | count', 100],
    ] as const)
      expect(compile(text, maxRows).settings).not.toHaveProperty('max_block_size')
  })

  it('stay unpacked in memory, but of scans of all texts and of whole sorts', () => {
    const isKept = (text: string) => 'use_uncompressed_cache' in compile(text).settings
    expect(['disk full', '"disk is full"', 'disk | count'].map(isKept)).toEqual([true, true, true])
    const scans = [
      '"disk is full" | count',
      'message contains is | count',
      'disk | count | group by message',
      'disk | order by host',
    ]
    expect(scans.map(isKept)).toEqual([false, false, false, false])
  })
})
