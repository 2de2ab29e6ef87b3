// No text of a query stands in the SQL: it travels as a parameter, and names come from the data,
// safely quoted.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSearch } from '../../../../query/language/compile-search.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { HOSTILE_NAMES } from '../../../support/data/hostile-names.ts'

const MARK = 'zqxj'
const LOGS = [
  {
    id: 7,
    folder: [`Web${MARK}`],
    name: `acc'ess${MARK}`,
    appTags: [`ta"g${MARK}`],
    typeWords: [`x${MARK}`],
  },
]
/** Places of a query where a user writes what he likes; the marked text is put for `§`, quoted
 *  where it must be. */
const PLACES = [
  ...[
    '§',
    '§*',
    '*§',
    'NOT §',
    '"§"',
    'a OR (b §)',
    '§ in log.§',
    'a in folder.§*',
    'a in server.§, file."§", app.§',
  ],
  ...[
    'a not in log.§ not in host.§*',
    '§ = 1',
    '"§" > 1',
    'column."§" exists',
    'host = §',
    'host = "§"',
    'host != §*',
  ],
  ...[
    'Known = §',
    'Known = "§"',
    'Known > §',
    'Known in (§, "§", §*)',
    'Known between § and "§"',
    'Known contains §',
  ],
  ...[
    'Known starts with "§"',
    'Known ends with §',
    'Known matches "§"',
    'Known not matches §',
    'log matches "§"',
  ],
  ...[
    'log = §',
    'folder contains "§"',
    'apptags = §*',
    'message contains "§"',
    'source matches §',
    'size contains §',
  ],
  ...[
    '* | count as §',
    '* | count "§" as "§"',
    '* | distinct count §',
    '* | count | group by § as §',
    '* | group by "§"',
  ],
  ...[
    '* | count | where § = "§"',
    '* | count as "§" | where "§" > 1',
    '* | group by host as "§" | where "§" = §',
  ],
  ...[
    '* | where §',
    '* | where Known = §',
    '* | list § as §, "§"',
    '* | list Known as "§" | where "§" = §',
  ],
  ...[
    '* | display only §',
    '* | group by host | display only "§" as "§", host as "§"',
    '* | datastream | group by log as "§"',
  ],
  ...['* | count | where § or "§*"', '§ | datastream | where time > 5 | display only § as "§"'],
]
const BREAKERS = [
  "'",
  '"',
  '`',
  '\\',
  "') OR 1=1 --",
  '`) --',
  "\\' OR 1 --",
  '{p0:String}',
  '/*',
  ';',
  '\u0000',
  '\n',
  '%',
]

describe('a text of a query', () => {
  it.each(PLACES)('does not reach SQL from %s', (place) => {
    for (const breaker of BREAKERS) {
      for (const text of [MARK + breaker, breaker + MARK, `${breaker}${MARK}${breaker}`]) {
        const compiled = compile(fill(place, text), [])
        if (compiled === undefined) continue
        expect(compiled.sql).not.toContain(MARK)
        expect(compiled.countSql).not.toContain(MARK)
        expect(Object.keys(compiled.params).join()).not.toContain(MARK)
        expect(JSON.stringify(compiled.settings)).not.toContain(MARK)
      }
    }
  })

  it('leaves SQL that is the same for any other text of the same shape', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.constantFrom(...PLACES), (text, place) => {
        const compiled = compile(fill(place, `Q${text}Q`), [])
        if (compiled === undefined) return
        expect(outsideOfLiterals(compiled.sql)).not.toContain("'")
        expect(compiled.sql).not.toContain(`Q${text}Q`)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a name of a column', () => {
  it.each(HOSTILE_NAMES.filter((name) => name !== ''))('is quoted whole: %j', (name) => {
    const marked = `${MARK}${name}${MARK}`
    const quoted = `"${marked.replace(/["\\]/g, '\\$&')}"`
    for (const query of [
      `${quoted} > 5`,
      `* | count | group by ${quoted}`,
      `* | count ${quoted}`,
    ]) {
      const compiled = compile(query, [marked])
      expect(compiled).toBeDefined()
      const sql = compiled?.sql ?? ''
      // Either as a parameter or inside one quoted identifier; nothing of it outside.
      expect(outsideOfLiterals(sql)).not.toContain(MARK)
      for (const identifier of identifiersIn(sql).filter((text) => text.includes(MARK))) {
        expect(identifier).toBe(marked)
      }
      const isParameter = Object.values(compiled?.params ?? {}).includes(marked)
      expect(isParameter || identifiersIn(sql).includes(marked)).toBe(true)
    }
  })
})

describe('every read of a table', () => {
  it.each([
    ...[
      '*',
      'a',
      'NOT a',
      'a OR b in log.none',
      '* not in log.*',
      'log = x OR log != x',
      '* | limit 5 | where a',
    ],
    ...[
      '* | count',
      '* | count | group by log',
      '* | datastream',
      'a | datastream | group by app',
      '* | list a | limit 5 | count',
    ],
  ])('is bound to the visible logs: %s', (query) => {
    for (const visible of [LOGS, []]) {
      const compiled = compile(query, ['Known'], visible)
      for (const sql of [compiled?.sql ?? '', compiled?.countSql ?? '']) {
        const reads = [
          ...sql.matchAll(
            /FROM (?:events|counts)\b(?: WHERE log_id (?:IN \{(p\d+):Array\(UInt32\)\}|BETWEEN \{(p\d+):UInt64\} AND \{(p\d+):UInt64\}))?/g,
          ),
        ]
        expect(reads.length).toBeGreaterThan(0)
        for (const [, list, first, last] of reads) {
          const param = (name = '') => compiled?.params[name]
          const ids = list ? param(list) : range(Number(param(first)), Number(param(last)))
          expect(visible.map(({ id }) => id)).toEqual(
            expect.arrayContaining(Array.isArray(ids) ? ids : ['none']),
          )
        }
      }
    }
  })
})

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

function compile(text: string, names: readonly string[], visibleLogs = LOGS) {
  const columns = ['Known', ...names].flatMap((name, index) =>
    (['text', 'number', 'bool', 'id'] as const).map((kind, place) => ({
      logId: 7,
      name,
      kind,
      position: index * 4 + place,
    })),
  )
  try {
    return compileSearch({
      text,
      visibleLogs,
      columns: new Map([[7, columns]]),
      window: { startMs: 1_772_366_400_000, endMs: 1_772_452_800_000 },
      dateFormat: 'MM/dd/yyyy HH:mm:ss',
      timeZone: 'Europe/Berlin',
      nowMs: 1_772_452_800_000,
      maxRows: 100,
    })
  } catch (error) {
    // Some texts are no value there; that is an answer, too.
    if (isFailure(error) && error.code === 'search.query') return undefined
    throw error
  }
}

function fill(place: string, text: string): string {
  return place
    .replaceAll('"§"', () => `"${text.replace(/["\\]/g, '\\$&')}"`)
    .replaceAll('§', () => text.replace(/[\s"\\(),|=<>*?!]/g, '\\$&'))
}

const LITERAL = /'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`/g

function outsideOfLiterals(sql: string): string {
  return sql.replace(LITERAL, '')
}

function identifiersIn(sql: string): string[] {
  return (sql.match(LITERAL) ?? [])
    .filter((literal) => literal.startsWith('`'))
    .map((literal) => literal.slice(1, -1).replace(/\\([\s\S])/g, '$1'))
}
