// The formats of `display`, rounding and the order of values, each against a small table of
// expectations, on the real engine.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import type { KnownColumn, SearchableLog } from '../../../query/language/search-input.ts'
import { type StoredWorld, storeWorld } from '../../support/reference/random/random-world.ts'
import type { ReferenceEvent } from '../../support/reference/run/model.ts'
import { sampleOf } from '../../support/run/tier.ts'
import { runCompiled } from '../../support/store/run-compiled.ts'
import { openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const LOG: SearchableLog = { id: 1, folder: ['F'], name: 'log', appTags: ['Tag'], typeWords: [] }
const START_MS = Date.UTC(2026, 0, 5, 7, 8, 9)

const LONG = `${'9'.repeat(30)}.5`
/** One event a value, a second apart; the first is the newest. */
const VALUES: readonly (string | number)[] = [
  ...[0, 1, -1, 0.005, 1.005, 2.5, -2.5, 1234567.891, 1e21, 1e-7, 2000, 120_000, 0.25, 99.995],
  ...['1.10', ' 12 ', '1,234', '12ms', '1e400', LONG, '0.10000000000000000001', 'n/a'],
  ...['10.2.0.1', '10.10.0.1', '::1', 'WARN', 'error', 'Info', 'zeta', 'Alpha', 'alpha', ''],
  ...['code=AB12 x code=C3', 'a | b', 'say "hi" \\', 'and', 'två ord'],
]
const NAMES = ['v', 'other one']
const KINDS = ['text', 'number'] as const

const WORLD: StoredWorld = {
  world: {
    events: VALUES.map((value, index) => makeEvent(value, index)),
    logs: [LOG],
    names: new Map([[1, NAMES]]),
    window: { startMs: START_MS - 86_400_000, endMs: START_MS + 86_400_000 },
    zone: 'Europe/Berlin',
    nowMs: 0,
  },
  columns: new Map([
    [
      1,
      NAMES.flatMap((name, place) =>
        KINDS.map((kind, index): KnownColumn => {
          return { logId: 1, name, kind, position: place * 2 + index }
        }),
      ),
    ],
  ]),
}

function makeEvent(value: string | number, index: number): ReferenceEvent {
  const columns: Record<string, string | number> = { 'other one': index % 4 }
  if (value !== '') columns.v = value
  return {
    log: LOG,
    arrival: index,
    timestampMs: START_MS - index * 1000 + (index === 1 ? 40.125 : 0),
    host: 'h',
    source: 's',
    message: `number ${index}`,
    raw: '',
    size: 100 + index,
    texts: [`number ${index}`, String(value)],
    columns,
  }
}

describe.each(STORE_VARIANTS)('formats on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    await storeWorld(store, WORLD.world.events, 0)
  })

  async function rows(text: string) {
    return (await runCompiled(store, text, WORLD)).rows
  }

  /** What the format prints for each of these values. */
  async function printed(format: string, values: readonly (string | number)[]) {
    const cells = await rows(`* | display only v in ${format}`)
    return values.map((value) => cells[VALUES.indexOf(value)]?.[0])
  }

  it.each([
    ['number format', { 1.005: '1.01', 2.5: '2.5', 1234567.891: '1234567.89', 0.005: '0.01' }],
    ['number format("0")', { 2.5: '3', [-2.5]: '-3', 0.25: '0', 99.995: '100' }],
    ['number format("#")', { 0: '0', 1: '1', 0.25: '0' }],
    ['number format("0.00")', { 1: '1.00', 2.5: '2.50', 1.005: '1.01', [-1]: '-1.00' }],
    ['number format("#.00")', { 0.25: '0.25', 1: '1.00' }],
    ['number format("000.0#")', { 1: '001.0', 0.25: '000.25', 2000: '2000.0' }],
    ['number format("#,##0.##")', { 1234567.891: '1,234,567.89', 2000: '2,000', 1: '1' }],
    ['number format("#,##,##0")', { 1234567.891: '1,234,568' }],
    ['number format("0.#%")', { 0.25: '25%', 1.005: '100.5%', 0: '0%' }],
    ['number format("EUR 0.00 \'#\'")', { 2.5: 'EUR 2.50 #', [-2.5]: 'EUR -2.50 #' }],
    ['number format', { ' 12 ': '12', '1,234': '1234', '12ms': '12ms', 'n/a': 'n/a' }],
    ['number format("#,##0")', { [LONG]: '1,000,000,000,000,000,000,000,000,000,000' }],
    ['number format', { '1e400': '1e400', 1e21: '1000000000000000000000', 1e-7: '0' }],
    [
      'time format',
      { 2000: '2 seconds', 120000: '2 minutes', 0: '0 milliseconds', 0.25: '250 microseconds' },
    ],
    [
      'time format',
      {
        [-2.5]: '-2.5 milliseconds',
        1e-7: '0 milliseconds',
        'n/a': 'n/a',
        1234567.891: '20.58 minutes',
      },
    ],
    ['time format("sec")', { 2000: '2 seconds', 1: '0 seconds', 120000: '120 seconds' }],
    ['time format("sec","hour")', { 2000: '0.56 hours', 120000: '33.33 hours' }],
    ['time format("day","min")', { 1: '1440 minutes' }],
    ['volume format', { 2000: '2000', 1234567.891: '1234567.89', '12ms': '12ms' }],
    ['volume format("KB")', { 2000: '1.95 KB', '1,234': '1.21 KB' }],
    ['volume format("mb", "B")', { 1: '1048576 B' }],
    ['regexp format("code=([A-Z0-9]+)")', { 'code=AB12 x code=C3': 'AB12', zeta: '' }],
    ['regexp format("c..e")', { 'code=AB12 x code=C3': 'code', 'n/a': '' }],
    [
      'regexp format("code=([A-Z]+)(\\d+)", "$2$1\\\\")',
      { 'code=AB12 x code=C3': '12AB\\ x 3C\\', zeta: 'zeta' },
    ],
    ['simple format("column.v!")', { 1e21: '1e+21!', '1.10': '1.10!', 2.5: '2.5!' }],
    ['expression format("column.v * 2 + 1")', { 2.5: '6', '1,234': '2469', 'n/a': '' }],
  ])('%s', async (format, expected: Record<string, string>) => {
    const values = Object.keys(expected).map(
      (text) => VALUES.find((value) => String(value) === text) ?? text,
    )
    expect(await printed(format, values)).toEqual(Object.values(expected))
  })

  it('expression takes signs, parentheses, remainders and other columns; what cannot be divided is nothing', async () => {
    const list = [
      'column.size % 7',
      '-(column.{other one} - 10) / 4',
      'column.other one / 0',
      '7 % 0',
      '1 - -2',
      'column.none + 1',
    ]
    const items = list.map((text, index) => `e${index} in expression format("${text}")`)
    const [first, second] = await rows(`* | display only ${items.join(', ')}`)
    expect(first).toEqual(['2', '2.5', '', '', '3', ''])
    expect(second).toEqual(['3', '2.25', '', '', '3', ''])
  })

  it('date takes Java letters, quoted text and a zone', async () => {
    const date = async (format: string) =>
      (await rows(`* | display only timestamp in date ${format} | limit 2`))[1]?.[0]
    // 2026-01-05T07:08:08.040Z, a Monday
    expect(await date('format')).toBe('01/05/2026 08:08:08')
    expect(await date('format("yyyy-MM-dd HH:mm:ss.SSS")')).toBe('2026-01-05 08:08:08.040')
    expect(await date('format("S SSSSSS SSSSSSSSS SSSSSSSSSS")')).toBe(
      '0 040125 040125000 0401250000',
    )
    expect(
      (await rows('* | max timestamp as m | display m in date format("ss.SSSSSS")'))[0]?.[0],
    ).toBe('09.000000')
    expect(await date(`format("EEE EEEE MMM MMMM d M yy y 'o''clock'", "UTC")`)).toBe(
      "Mon Monday Jan January 5 1 26 2026 o'clock",
    )
    expect(await date('format("h hh K a k H S SS X XX XXX Z", "America/St_Johns")')).toBe(
      '3 03 3 AM 3 3 0 04 -0330 -0330 -03:30 -0330',
    )
    expect(await date('format("HH:mm XXX", "utc")')).toBe('07:08 Z')
    expect(
      (await rows('* | max timestamp as m | display m in date format("HH:mm:ss")'))[0]?.[0],
    ).toBe('08:08:09')
  })

  it('prints times as the search call does wherever they become text', async () => {
    const [first, second] = await rows('* | display only T in simple format("column.timestamp")')
    expect([first, second]).toEqual([['01/05/2026 08:08:09'], ['01/05/2026 08:08:08.040']])
  })

  it('query is a link to the console in which a value is one value, whatever it holds', async () => {
    const links = await rows('* | display only L in query format("v = column.v in log.column.log")')
    const linkOf = (value: string) => new URL(links[VALUES.indexOf(value)]?.[0] ?? '', 'http://h')
    expect(linkOf('10.2.0.1').pathname).toBe('/logeye/search/view/loadSearchModel.jsp')
    const queryOf = (value: string) => linkOf(value).searchParams.get('searchQuery')
    expect(queryOf('10.2.0.1')).toBe('v = 10.2.0.1 in log.log')
    expect(queryOf('a | b')).toBe('v = "a | b" in log.log')
    expect(queryOf('say "hi" \\')).toBe('v = "say \\"hi\\" \\\\" in log.log')
    expect(queryOf('and')).toBe('v = "and" in log.log')
    expect(linkOf('and').searchParams.get('startTimeFullStr')).toBe('01/04/2026 08:08:09')
    expect(linkOf('and').searchParams.get('endTimeFullStr')).toBe('01/06/2026 08:08:08')
    for (const value of ['10.2.0.1', 'a | b', 'say "hi" \\', 'and', 'två ord', '12ms']) {
      expect(await rows(`${queryOf(value)} | list v`)).toEqual([[value]])
    }
    const quoted = await rows(
      'v contains hi | display only L in query format("v = \\"column.v\\"")',
    )
    expect(new URL(quoted[0]?.[0] ?? '', 'http://h').searchParams.get('searchQuery')).toBe(
      'v = "say \\"hi\\" \\\\"',
    )
  })

  it('changes what is printed only: later stages compare the value, and may use an added column', async () => {
    expect(
      await rows('* | display only v in number format("0"), size | where v = 2.5 | order by v'),
    ).toEqual([['3', '105']])
    expect(
      await rows(
        '* | count as c group by other one | display c in number format("000"), Half in expression format("column.c / 4") | where Half > 2.3 | order by Half desc, other one',
      ),
    ).toEqual([['0', '010', '2.5']])
  })

  it('orders numbers by value, addresses, priorities by rank, texts without letter case; missing last', async () => {
    const ascending = [
      ...[
        '-2.5',
        '-1',
        '0',
        '1e-7',
        '0.005',
        '0.10000000000000000001',
        '0.25',
        '1',
        '1.005',
        '1.10',
        '2.5',
        '99.995',
        '2000',
        '120000',
        '1234567.891',
        '1e+21',
        LONG,
        '1e400',
      ],
      ...['::1', '10.2.0.1', '10.10.0.1', 'Info', 'WARN', 'error'],
      ...[
        ' 12 ',
        '1,234',
        '12ms',
        'a | b',
        'Alpha',
        'alpha',
        'and',
        'code=AB12 x code=C3',
        'n/a',
        'say "hi" \\',
        'två ord',
        'zeta',
      ],
    ]
    expect(await rows('* | list v | order by v')).toEqual([...ascending, ''].map((text) => [text]))
    // Equal values keep their order.
    const descending = [...ascending].reverse()
    const at = descending.indexOf('alpha')
    descending.splice(at, 2, 'Alpha', 'alpha')
    expect(await rows('* | order by v desc | list v')).toEqual(
      [...descending, ''].map((text) => [text]),
    )
  })

  it('keeps the order through cuts, percentiles and later stages; several percentiles count what is left', async () => {
    expect(
      await rows('size < 106 | list v | order by v desc | limit 3 offset 1 | where v < 1'),
    ).toEqual([['0.005']])
    expect(
      await rows(
        '* | order by size | percentile 50 | percentile 12.5 | order by size desc | list size',
      ),
    ).toEqual([['102'], ['101'], ['100']])
    expect(await rows('* | percentile 0 | count')).toEqual([['0']])
    expect(await rows('* | percentile 0.0001 | list size')).toEqual([['100']])
    expect(await rows('* | count group by size | percentile 5.3 | order by size desc')).toEqual([
      ['101', '1'],
      ['100', '1'],
    ])
    expect(
      await rows(
        '* | order by other one, size desc | percentile 100 | first size as a, last size as b',
      ),
    ).toEqual([[`${99 + VALUES.length}`, '100']])
  })

  it('rounds half away from zero', async () => {
    const rounded = async (stage: string, value: number) =>
      (await rows(`v = "${value}" | ${stage} | list v, r`))[0]
    expect(await rounded('round v as r', 2.5)).toEqual(['2.5', '3'])
    expect(await rounded('round v as r', -2.5)).toEqual(['-2.5', '-3'])
    expect(await rounded('round v to 2 as r', 1.005)).toEqual(['1.005', '1.01'])
    expect(await rounded('round v to 1', 99.995)).toEqual(['100', ''])
    expect(await rows('v = n/a | round v | list v')).toEqual([['']])
    expect(await rows('v = "1,234" | round v | where v = 1234 | list v')).toEqual([['1234']])
  })

  it('takes groups out of a column, replaces in it, and shows what was made', async () => {
    const extracted = await rows(
      'v contains code | extract "code=(?<a>[A-Z]+)(x)?(?P<b>[0-9]+)" from v | list a, b, v',
    )
    expect(extracted).toEqual([['AB', '12', 'code=AB12 x code=C3']])
    expect(await rows('* | extract "^(?<c>z)" from v | where c exists | count')).toEqual([['1']])
    expect(
      await rows('v contains code | replace "code=(.)" with "[$1$0]" in v as w | list w'),
    ).toEqual([['[Acode=A]B12 x [Ccode=C]3']])
    expect(
      await rows('v = zeta | replace "e" with "" in v | replace "t" with "$" in v | list v'),
    ).toEqual([['z$a']])
    const { columns, rows: shown } = await runCompiled(
      store,
      'v = zeta | replace "z" with "Z" in v | extract "(?<n>\\d+)" from message',
      WORLD,
    )
    expect(columns).toEqual([
      'timestamp',
      'log',
      'folder',
      'host',
      'source',
      'message',
      'v',
      'other one',
      'n',
    ])
    expect(shown[0]?.slice(6)).toEqual([
      'Zeta',
      `${VALUES.indexOf('zeta') % 4}`,
      `${VALUES.indexOf('zeta')}`,
    ])
  })

  it('keeps the first row of each combination, letter case ignored', async () => {
    expect(await rows('v = alpha | dedup v | list v')).toEqual([['Alpha']])
    expect(await rows('v = alpha | order by size desc | dedup v | list v')).toEqual([['alpha']])
    expect(await rows('* | dedup other one | list size')).toEqual([
      ['100'],
      ['101'],
      ['102'],
      ['103'],
    ])
    expect(await rows('* | dedup none, log | count')).toEqual([['1']])
    expect(
      await rows(
        '* | count group by size, other one | order by size desc | dedup other one | display only size',
      ),
    ).toHaveLength(4)
  })

  const stages = [
    'replace "a" with "b" in v',
    'order by v desc, "other one"',
    'percentile 99',
    'percentile 99 | where size exists',
    'display v as v in number format("0"), E in expression format("column.E + column.v")',
    'round v to 2',
    'extract "(?<v>.*)" from v',
    'dedup size',
    'limit 10',
  ]
  it.each(sampleOf(stages))('runs as many stages as a query may have: %s', async (stage) => {
    const times = Math.floor(38 / stage.split(' | ').length)
    const stages = ` | ${stage}`.repeat(times)
    const queries = [`*${stages} | list size`, `* | count group by v, size${stages}`]
    for (const found of await Promise.all(queries.map(rows)))
      expect(found.length).toBeGreaterThan(0)
  })
})
