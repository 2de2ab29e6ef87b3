// Column names from hostile data and hostile texts of queries, on the real engine: each finds its
// own value and nothing else happens.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import { compileSearch } from '../../../query/language/compile-search.ts'
import { readShownColumns } from '../../../schemas/shown-columns.ts'
import { HOSTILE_NAMES } from '../../support/data/hostile-names.ts'
import { LowCardinal } from '../../support/store/native-encoder.ts'
import { failureOf, openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'
import { eventsInsert, NOON_MS } from '../../support/store/stored-event.ts'

const LOG = { id: 1, folder: ['A'], name: "lo'g\\`", appTags: ["t'ag", 'x'], typeWords: [] }
/** What a path of the JSON column cannot be: it is no name of a column either. */
const NAMES = HOSTILE_NAMES.filter((name) => name !== '')

describe.each(STORE_VARIANTS)('hostile names and texts on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    const events = NAMES.flatMap((name, index) => [
      { columns: { [name]: `text ${index}` }, size: index * 4 },
      { columns: { [name]: new LowCardinal(`text ${index}`) }, size: index * 4 + 1 },
      { columns: { [name]: index + 0.5 }, size: index * 4 + 2 },
      { ids: { [name]: '0123456789abcdef' }, size: index * 4 + 3 },
    ])
    // A part of its own for each: what is read must not lean on its neighbours.
    await store.insertNative(
      eventsInsert(
        'a',
        events.filter((_, index) => index % 2 === 0),
      ),
    )
    await store.insertNative(
      eventsInsert(
        'b',
        events.filter((_, index) => index % 2 === 1),
        10_000,
      ),
    )
  })

  async function ask(text: string) {
    const columns = NAMES.flatMap((name, index) =>
      (['text', 'number', 'bool', 'id'] as const).map((kind, place) => ({
        logId: 1,
        name,
        kind,
        position: index * 4 + place,
      })),
    )
    return await store.query<Record<string, unknown>>(
      compileSearch({
        text,
        visibleLogs: [LOG],
        columns: new Map([[1, columns]]),
        window: { startMs: NOON_MS, endMs: NOON_MS + 1000 },
        dateFormat: 'MM/dd/yyyy HH:mm:ss',
        timeZone: 'UTC',
        nowMs: NOON_MS,
        maxRows: 1000,
      }),
    )
  }

  it.each(NAMES.map((name, index) => ({ name, index })))(
    'finds the values of the column $name',
    async ({ name, index }) => {
      // Said as a parsed column: a built-in one of the name would come first.
      const column = `column.${quoted(name)}`
      const sizes = async (text: string) =>
        (await ask(text)).map(({ size }) => Number(size)).sort((a, b) => a - b)
      const tests = [`"TEXT ${index}"`, `${index}.50`, '0123456789ABCDEF']
      const found = await Promise.all(tests.map((value) => sizes(`${column} = ${value}`)))
      const first = index * 4
      expect(found).toEqual([[first, first + 1], [first + 2], [first + 3]])
      const groups = await ask(`* | count | group by ${column}`)
      const keys = groups.map((row) => `${row.c0}: ${row.c1}`).sort()
      expect(keys).toEqual(['0123456789abcdef: 1', `${index}.5: 1`, `text ${index}: 2`].sort())
    },
  )

  it('gives names and values of a row as they were stored', async () => {
    for (const row of await ask('*')) {
      const size = Number(row.size)
      const index = Math.floor(size / 4)
      const value = [`text ${index}`, `text ${index}`, `${index}.5`][size % 4]
      const name = NAMES[index] ?? ''
      const text = (key: string) => String(row[key])
      const shown = readShownColumns({
        rest: text('rest'),
        names: text('names'),
        others: text('others'),
        idNames: text('id_names'),
        ids: text('ids'),
      })
      expect([...shown]).toEqual([[name, value ?? '0123456789abcdef']])
    }
  })

  it.each(NAMES)('takes %j as a text in every place', async (name) => {
    const word = name.replace(/[\s"\\(),|=<>*?!]/g, '\\$&')
    const text = quoted(name)
    const tests = [
      ...[word, `${word}*`, `host = ${text}`, `host != ${text}`, `host in (${text}, x)`],
      ...[`host contains ${text}`, `host starts with ${text}`, `host ends with ${text}`],
      ...[`log = ${text}`, `apptags = ${text}`],
    ]
    const queries = [
      tests.map((test) => `(${test})`).join(' or '),
      `* in log.${text}, server.${text}, file.${text}, app.${text}, server.${word}x*`,
      `* | list host as ${text}`,
      `* | count as ${text} | where ${text} > 1`,
      `* | group by host as ${text} | display only ${text}`,
    ]
    await Promise.all(queries.map(ask))
    expect(await ask('* | count')).toEqual([{ c0: String(NAMES.length * 4) }])
  })

  it('takes the longest query of many words', async () => {
    for (const text of [
      'a1 OR '.repeat(5460),
      'ab '.repeat(10_900),
      'w* OR '.repeat(5460),
      '12 '.repeat(10_900),
      '"a b" '.repeat(5460),
      `"${'größe '.repeat(5400)}"`,
      'x = 1 OR '.repeat(3640),
    ]) {
      expect(await ask(text.replace(/ OR $/, ''))).toEqual([])
    }
  })

  it('takes the longest query of different words', async () => {
    const words = Array.from({ length: 4000 }, (_, index) => `w${index.toString(36)}`)
    expect(await ask(words.join(' OR '))).toEqual([])
    expect(await ask(words.join(' '))).toEqual([])
    expect(
      await ask(
        words
          .map((word) => `w${word}*`)
          .join(' OR ')
          .slice(0, 30_000),
      ),
    ).toEqual([])
    expect(await ask(`x in (${words.join(', ')})`)).toEqual([])
    expect(await failureOf(ask(words.map((word) => `${word}*`).join(' ')))).toBe('search.resources')
  })
})

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
