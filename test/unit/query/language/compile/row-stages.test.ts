// Stages over rows and formats: what is refused, where, and what was expected; parts that are pure.
import { describe, expect, it } from 'vitest'
import { SubSelects } from '../../../../../query/language/compile/plan/sub-selects.ts'
import { regexpGroups } from '../../../../../query/language/compile/regexp/regexp-groups.ts'
import { compileSearch } from '../../../../../query/language/compile-search.ts'
import { isFailure } from '../../../../../schemas/failures.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../../support/data/sample-logs.ts'

function compile(text: string) {
  return compileSearch({
    text,
    visibleLogs: SAMPLE_LOGS,
    columns: SAMPLE_COLUMNS,
    window: { startMs: 0, endMs: 1000 },
    dateFormat: 'MM/dd/yyyy HH:mm:ss',
    timeZone: 'UTC',
    nowMs: 1_772_452_800_000,
    maxRows: 100,
  })
}

/** `reason`, and what stands at the position of the failure. */
function errorOf(text: string): string {
  try {
    compile(text)
    return 'no error'
  } catch (error) {
    if (!isFailure(error) || error.code !== 'search.query') throw error
    const from = Number(error.details.position) - 1
    return `${text.slice(from, from + 8)}: ${error.details.reason}`
  }
}

describe('a format', () => {
  it.each([
    ['number format("0","0")', '"0"): the format number takes at most one argument'],
    ['number format("x")', '"x"): a decimal pattern such as #.##, 0.00, #,##0 or 0.#% is expected'],
    [
      'number format("0#")',
      '"0#"): a decimal pattern such as #.##, 0.00, #,##0 or 0.#% is expected',
    ],
    [
      'number format("0.#0")',
      '"0.#0"): a decimal pattern such as #.##, 0.00, #,##0 or 0.#% is expected',
    ],
    ['number format("#,")', '"#,"): digits are expected after the comma of the decimal pattern'],
    [`number format("${'0'.repeat(31)}")`, '"0000000: a decimal pattern has at most 30 digits'],
    ['simple format', 'in simpl: the format simple takes one argument'],
    [
      'time format("sec","minn")',
      "\"minn\"): unknown unit 'minn', the nearest is 'min'; units are microsec, ms, sec, min, hour, day",
    ],
    ['time format("ms","sec","min")', '"min"): the format time takes at most two arguments'],
    [
      'volume format("TB")',
      "\"TB\"): unknown unit 'TB', the nearest is 'b'; units are b, kb, mb, gb",
    ],
    [
      'date format("qq")',
      '"qq"): the letter q is not supported in a date pattern; letters are y M d E a H h k K m s S X Z, other text stands in \'...\'',
    ],
    [
      'date format("yyyy", "Europe/Berlim")',
      "\"Europe/: unknown time zone 'Europe/Berlim', the nearest is 'Europe/Berlin'",
    ],
    ['date format("yyyy", "+02:00")', '"+02:00": unknown time zone \'+02:00\''],
    ['regexp format', 'in regex: the format regexp takes one or two arguments'],
    ['regexp format("(a")', '"(a"): the regular expression has ( without )'],
    ['regexp format("(a)(b)", "$3")', '"$3"): the regular expression has 2 groups, there is no $3'],
    ['expression format("1 +")', '"): in the expression, a number, column.<name> or ( is expected'],
    ['expression format("(1 + 2")', '"): in the expression, ) is expected'],
    ['expression format("1 2")', '2"): in the expression, an operator + - * / % is expected'],
    [
      'expression format("size * 2")',
      'size * 2: in the expression, a number, column.<name> or ( is expected',
    ],
    [`expression format("${'-'.repeat(60)}1")`, 'in the expression, at most 50 levels are allowed'],
    [
      `expression format("1${'+1'.repeat(201)}")`,
      'in the expression, at most 200 operations are allowed',
    ],
  ])('%s is refused with its place', (format, expected) => {
    expect(errorOf(`* | display only Status in ${format}`)).toContain(expected)
    expect(errorOf(`* | count group by Status | display Status in ${format}`)).toContain(expected)
  })

  it('of a pattern as long as a query is refused', { timeout: 30_000 }, () => {
    const text = 'a'.repeat(32_000)
    expect(errorOf(`* | display Status in number format("${text}'")`)).toContain('decimal pattern')
    expect(errorOf(`* | display timestamp in date format("${'XZ'.repeat(16_000)}")`)).toBe(
      '"XZXZXZX: a date pattern has at most 256 characters',
    )
  })

  it.each([
    ['* | display raw in number format', 'raw in n'],
    ['* | display x in simple format("column.raw")', 'in simpl'],
    ['* | order by raw', 'raw: raw may be shown, not tested, sorted or grouped by'],
    ['* | replace "a" with "b" in raw', 'raw: raw may be shown'],
    ['* | dedup host, raw', 'raw: raw may be shown'],
  ])('%s: the raw text is refused', (text, expected) => {
    expect(errorOf(text)).toContain(expected)
  })
})

describe('a unit behind a number', () => {
  it.each(['5s', '2sec', '1.5hours', '10KB', '-3ms', '7d', '1mb'])(
    'of a column that has none is refused: %s',
    (value) => {
      const reason =
        'numbers have no units here: write the number alone, in the unit that the column counts in'
      expect(errorOf(`Status > ${value}`)).toBe(`${value}: ${reason}`)
      expect(errorOf(`User between 1 and ${value} in log.access`)).toContain(reason)
      expect(errorOf(`* | avg Status as Mean | where Mean <= ${value}`)).toBe(`${value}: ${reason}`)
    },
  )

  it('is text in quotes and behind =, and counts bytes of size', () => {
    expect(errorOf('User > "5s" OR User = 5s OR User in (5s, 6s)')).toBe('no error')
    expect(errorOf('size > 10KB size between 1B and 1GB')).toBe('no error')
    expect(errorOf('Status > 5x')).toBe('no error')
  })
})

describe('functions without aliases', () => {
  const titles = (text: string) => {
    const compiled = compile(text)
    return compiled.kind === 'table' ? compiled.columns.map(({ name }) => name) : []
  }

  it('are called by their text, with the condition where that alone tells them apart', () => {
    expect(titles('* | count if (Status = 1)')).toEqual(['count'])
    expect(titles('* | count, count if (Status = 1), COUNT if (not a)')).toEqual([
      'count',
      'count if (Status = 1)',
      'count if (not a)',
    ])
    expect(titles('* | count, count if (Bytes Sent>1  and User = null)')).toEqual([
      'count',
      'count if (Bytes Sent>1 and User = null)',
    ])
    expect(titles('* | sum Status if (a), sum status as x, avg Status if (a)')).toEqual([
      'sum Status',
      'x',
      'avg Status',
    ])
    expect(titles('* | sum Status if (a), sum status if (b) | group by User')).toEqual([
      'User',
      'sum Status if (a)',
      'sum status if (b)',
    ])
  })
})

describe('extract and replace', () => {
  it.each([
    ['* | extract "(a)" from URL', '"(a)" fr: a named group such as (?<name>...) is expected'],
    ['* | extract "(?<a>x)(?P<a>y)" from URL', '"(?<a>x): the group a stands twice'],
    ['* | extract "(?<a>" from URL', 'the regular expression has ( without )'],
    ['* | replace "[a" with "" in URL', '"[a" wit: the regular expression has [ without ]'],
    [
      '* | replace "a" with "$1" in URL',
      '"$1" in : the regular expression has no group, there is no $1',
    ],
  ])('%s is refused', (text, expected) => {
    expect(errorOf(text)).toContain(expected)
  })
})

describe('the groups of a regular expression', () => {
  it.each([
    ['a(b)(?:c)(?<d>e)(?P<f>g)(?i:h)', [null, 'd', 'f']],
    ['\\((a)\\)', [null]],
    ['[(](x)[^)](y)[](](z)[^](](w)', [null, null, null, null]],
    ['\\Q(a)(b)\\E(c)', [null]],
    ['\\Q(a', []],
    ['[[:alpha:](](a)', [null]],
    ['[\\](](a)', [null]],
  ])('of %s', (regexp, groups) => {
    expect(regexpGroups(regexp)).toEqual(groups)
  })
})

describe('a sub-select', () => {
  it('hands up what is asked for behind it, once, under one name', () => {
    const subSelects = new SubSelects()
    const layer = subSelects.open()
    const sql = `SELECT ${layer.carry('lower(a)')}, ${layer.carry('timestamp')}, ${layer.carry('lower(a)')} FROM (SELECT ${layer.columns} FROM events)`
    const outer = layer.carry('upper(b)')
    const name = layer.carry('lower(a)')
    expect(subSelects.finish(sql)).toMatch(
      new RegExp(
        `^SELECT ${name}, timestamp, ${name} FROM \\(SELECT log_id, .*, lower\\(a\\) AS ${name}, upper\\(b\\) AS ${outer} FROM events\\)$`,
      ),
    )
  })

  it('counts before the statement what LIMIT needs', () => {
    const subSelects = new SubSelects()
    const count = subSelects.scalar('SELECT 1')
    expect(subSelects.finish(`SELECT 2 LIMIT ${count}`)).toBe(
      `WITH (SELECT 1) AS ${count} SELECT 2 LIMIT ${count}`,
    )
  })

  it('has a quick form where a stage gives two texts, in what is counted before and handed up, too', () => {
    const subSelects = new SubSelects()
    expect(subSelects.hasQuick).toBe(false)
    const inner = subSelects.either({ quick: 'q', whole: 'w' })
    const outer = subSelects.either({ quick: `one(${inner})`, whole: `two(${inner}, ${inner})` })
    const count = subSelects.scalar(`SELECT ${outer}`)
    const layer = subSelects.open()
    const name = layer.carry(`up(${inner})`)
    expect(subSelects.hasQuick).toBe(true)
    const sql = `SELECT ${outer}, ${name} LIMIT ${count}`
    const formOf = (form: 'quick' | 'whole') => subSelects.finish(sql, form)
    expect(formOf('quick')).toBe(
      `WITH (SELECT one(q)) AS ${count} SELECT one(q), ${name} LIMIT ${count}`,
    )
    const whole = `WITH (SELECT two(w, w)) AS ${count} SELECT two(w, w), ${name} LIMIT ${count}`
    expect(formOf('whole')).toBe(whole)
    expect(subSelects.finish(sql)).toBe(whole)
    expect(subSelects.finish(layer.columns, 'quick')).toMatch(new RegExp(`, up\\(q\\) AS ${name}$`))
    expect(() => new SubSelects().finish(sql)).toThrow(TypeError)
  })

  it('reads a column that later stages ask for by its path, never the whole JSON', () => {
    const { sql } = compile(
      '* in log.access | order by Time Taken | percentile 95 | max Bytes Sent',
    )
    expect(sql).not.toContain('getSubcolumn')
    const inner = sql.slice(sql.lastIndexOf('SELECT'))
    expect(inner).toContain('columns.`Bytes Sent`.:Float64')
    expect(sql.slice(0, sql.indexOf('FROM (SELECT'))).not.toContain('columns.`')
  })
})

describe('forty stages', () => {
  it.each([
    ['replace "a" with "b" in URL'],
    ['order by URL desc, Status'],
    ['percentile 99'],
    [
      'display Status as Status in number format("0"), E in expression format("column.E + column.Status")',
    ],
    ['round Status to 2'],
    ['extract "(?<URL>a.*)" from URL'],
    ['dedup URL, Status'],
    ['limit 10'],
  ])('of %s make a statement of bounded length', (stage) => {
    expect(compile(`*${` | ${stage}`.repeat(40)}`).sql.length).toBeLessThan(200_000)
    expect(
      compile(`* | count group by URL, Status${` | ${stage}`.repeat(38)}`).sql.length,
    ).toBeLessThan(100_000)
  })
})
