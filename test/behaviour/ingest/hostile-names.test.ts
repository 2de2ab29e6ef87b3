// Names that come in with events and later stand in SQL: columns, logs, folders, hosts, tags,
// accounts, users. Each can be searched by its own name, and reaches nothing else.
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultToken, expectSuccess, post } from '../../support/clients/ingest-client.ts'
import { makeWord, sdk, search, searchUntil } from '../../support/clients/product-client.ts'
import { HOSTILE_NAMES } from '../../support/data/hostile-names.ts'
import { mapAtOnce } from '../../support/run/map-at-once.ts'
import { sampleOf } from '../../support/run/tier.ts'

const CALLS_AT_ONCE = 6

const NAMES = [
  ...HOSTILE_NAMES,
  ...[
    '__proto__',
    'constructor',
    'hasOwnProperty',
    '\u2028',
    '\ufeff',
    '{x:String}',
    "x') OR 1=1 --",
  ],
  ...['f\u0300', '%', '%s', 'a->b', 'and', 'NOT', 'in', 'group by x', 'x as y'],
]
/** Not trimmed away and without what no column or level may hold. */
const isColumn = (name: string) =>
  !name.includes('\u0000') && name.split('.').every((level) => level !== '')
const isLevel = (name: string) =>
  name.trim() === name &&
  name !== '' &&
  name.length <= 255 &&
  !/->|[|\p{Cc}\u202a-\u202e\u2066-\u2069]|@#@#/u.test(name)
const quoted = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')
/** In a scope, `*` and `?` are wildcards, escaped or not: such names find at least their own. */
const isWild = (name: string) => /[*?]/.test(name)

async function find(searchQuery: string) {
  const answer = await search({ searchQuery, fixedInterval: 'allData', maxNumOfRecords: 1000 })
  const told = `${searchQuery} gave ${answer.document.slice(0, 400)}`
  expect(answer.state, told).toBe('OK')
  return { rows: answer.rows, told }
}

describe('as names of columns', () => {
  const word = makeWord('names')
  const names = [...new Set(NAMES.filter(isColumn))]
  const numbered = names.map((name, n) => ({ name, n }))
  const others = ['timestamp', 'log', 'folder', 'host', 'source', 'message']

  beforeAll(async () => {
    // Text, so that no number is made; the prototype's name only comes through as JSON text.
    const lines = names.map(
      (name, n) => `{"message":"${word} ${n}","no":${n},${JSON.stringify(name)}:"value ${n}"}`,
    )
    expectSuccess(await post(lines.join('\n')), names.length)
    await searchUntil(names.length, { searchQuery: word, maxNumOfRecords: 1000 })
  })

  it('find their own event and no other: =, exists, list, group by', async () => {
    const own = numbered.filter(({ name }) => !others.includes(name))
    await mapAtOnce(own, CALLS_AT_ONCE, async ({ name, n }) => {
      const plain = await find(`${word} "${quoted(name)}" = "value ${n}" | list no`)
      expect(plain.rows, plain.told).toEqual([{ no: String(n) }])
    })
    await mapAtOnce(sampleOf(own), CALLS_AT_ONCE, async ({ name, n }) => {
      const column = `"${quoted(name)}"`
      const equal = await find(`${word} column.${column} = "value ${n}" | list no`)
      expect(equal.rows, equal.told).toEqual([{ no: String(n) }])
      const grouped = await find(`${word} ${column} exists | count | group by ${column}`)
      expect(grouped.rows.length, grouped.told).toBe(1)
      expect(Object.values(grouped.rows[0] ?? {}), grouped.told).toContain(`value ${n}`)
    })
  })

  it('are no columns when they are empty, have an empty level or NUL: words find them, raw keeps them', async () => {
    const nameless = NAMES.filter((name) => !isColumn(name))
    expect(nameless.length).toBeGreaterThan(4)
    await mapAtOnce(nameless, CALLS_AT_ONCE, async (name) => {
      const own = makeWord('nameless')
      const event = `{"message":"${own}",${JSON.stringify(name)}:"value${own}"}`
      expectSuccess(await post(event), 1)
      const { rows } = await searchUntil(1, { searchQuery: `value${own} | display only raw` })
      expect(rows).toEqual([{ raw: event }])
      // A query refuses empty quotes.
      if (name === '') return
      const { rows: tested } = await find(`${own} "${quoted(name)}" exists | count as c`)
      expect(tested).toEqual([{ c: '0' }])
    })
  })

  it('are nothing to other values', async () => {
    await mapAtOnce(sampleOf(names), CALLS_AT_ONCE, async (name) => {
      const { rows, told } = await find(`${word} "${quoted(name)}" = "another" | count as c`)
      expect(rows, told).toEqual([{ c: '0' }])
    })
  })
})

describe('as names of logs, folders and hosts', () => {
  const word = makeWord('places')
  const names = [...new Set(NAMES.filter(isLevel))]
  const numbered = names.map((name, n) => ({ name, n }))

  beforeAll(async () => {
    await mapAtOnce(names, CALLS_AT_ONCE, async (name, n) => {
      const body = JSON.stringify({
        ...{
          message: `${word} ${n}`,
          productName: `${name} ${word}`,
          productPath: `${word}->${name}`,
        },
      })
      expectSuccess(await post(body, { parameters: { hostName: `${name} ${word}` } }), 1)
    })
    await searchUntil(names.length, { searchQuery: word, maxNumOfRecords: 1000 })
  })

  const tables: readonly (readonly [string, (name: string) => string])[] = [
    ['log', (name) => `${word} in log."${quoted(`${name} ${word}`)}"`],
    ['path', (name) => `${word} in log."${quoted(`Events->${word}->${name}->${name} ${word}`)}"`],
    ['folder', (name) => `${word} in folder."${quoted(`Events->${word}->${name}`)}"`],
    ['host', (name) => `${word} in server."${quoted(`${name} ${word}`)}"`],
    ['column log', (name) => `${word} log = "${quoted(`${name} ${word}`)}"`],
    ['column folder', (name) => `${word} folder = "${quoted(`Events->${word}->${name}`)}"`],
    ['column host', (name) => `${word} host = "${quoted(`${name} ${word}`)}"`],
  ]
  const named = tables.map(([kind, query], table) => ({ kind, query, table }))
  it.each(named)('they find their own event by $kind', async ({ kind, query, table }) => {
    await mapAtOnce(sampleOf(numbered, table), CALLS_AT_ONCE, async ({ name, n }) => {
      const { rows, told } = await find(query(name))
      const own = rows.filter((row) => row.message === `${word} ${n}`)
      expect(own, told).toHaveLength(1)
      // Columns ignore letter case, scopes know wildcards: both may find a sibling, never a
      // stranger.
      if (!isWild(name) && !kind.startsWith('column')) expect(rows, told).toHaveLength(1)
      expect(
        rows.every((row) => row.message?.startsWith(word)),
        told,
      ).toBe(true)
    })
  })
})

describe('as arguments of the SDK', () => {
  it('make what they say or are refused with a reason, and harm nothing', async () => {
    const before = defaultToken()
    await mapAtOnce(NAMES, CALLS_AT_ONCE, async (name) => {
      for (const [command, given] of [
        ['addListener', { name: `${name}${makeWord()}`, appTags: name, logNamePrefix: name }],
        ['addListener', { name: makeWord(), parentFolder: name, splitColumns: name }],
        ['addListener', { name: makeWord(), messageKeys: name, timeKey: name, timeZone: name }],
        ['securityUsers', { action: 'edit', userName: name, displayName: name }],
        ['setPermissions', { path: name, type: 'log', viewUsers: name }],
        ['settings', { get: name }],
        ['enableAccount', { name, enabled: name }],
        ['removeAccount', { name }],
        [`x/${encodeURIComponent(name)}`, {}],
      ] as const) {
        const failure = await sdk(command, given).then(
          () => '',
          (error: unknown) => String(error),
        )
        const told = `${command} ${JSON.stringify(given)} gave ${failure}`
        expect(failure, told).toMatch(/^$|: 4\d\d /)
        expect(failure, told).not.toMatch(/internal|SQLITE|DB::/i)
      }
    })
    expectSuccess(await post('{}', { token: before }), 1)
    expect((await sdk('settings', { list: 'true' }))['system.security']).toBe('true')
  })
})
