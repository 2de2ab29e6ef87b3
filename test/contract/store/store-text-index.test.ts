// The skip indexes never hide a row: for every word that the rule calls indexed, the index
// condition finds each row whose text holds the word by search-language#words, tried over hostile
// texts against a plain scan in this file; where the rule says exact, it finds no other.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import {
  foldCase,
  foldExpression,
  IDS_EXPRESSION,
  indexTokens,
  isExactWord,
  isIndexedAddress,
  isIndexedNumber,
  isIndexedWord,
  LONG_RUN,
  mayStandInIds,
  NUMBERS_EXPRESSION,
  spacedTokens,
  TEXT_EXPRESSION,
  WORDS_COLUMN,
  wordsOf as wordsExpression,
} from '../../../schemas/store/text-index.ts'
import { series } from '../../support/run/tier.ts'
import { STORE_VARIANTS } from '../../support/store/store-variants.ts'
import { eventsInsert, type StoredEvent } from '../../support/store/stored-event.ts'

const TEXTS = [
  'Maß5 und café5b, 5ß 5ßabc ß5ß',
  'ΟΔΟΣ οδος οδοσ ΣΑΣ. σας',
  'İstanbul istanbul ISTANBUL ıstanbul Kelvin kelvin',
  'Größe größe GRÖSSE Straße STRASSE',
  'привет Привет ПРИВЕТ日本語 日本語テキスト',
  'naïve e\u0301clair éclair “deadline” —dash…dots',
  'user_id user id _ __ _a a_ 5_ _5 a_5 5_a 404_x deadbeef_1',
  '2026-11-21T09:05:07.123Z 21t09 123z 5z 5zz at09 t09 t9 12t345 1t23z 0xT10 é21t09 21t09é deadt10',
  '404 utf8 web01 x2y 5xx a1b2c3d4 12345 123456 1234567 0xdeadbeef cafebabe1234567',
  'deadbeef feed1234567 feed12345 fe1 abcdef abcdef1 abcdef12345 1abcdef 0 9 a f g',
  '12\u{1df00} \u{1df00}12 123456\u{1e4d0} a\u{1e4d0}5 5\u{1e4d0}a 12\u{1df00}34 7-8.9/10 1 2  3\t4 5xé é5x',
  '10.2.3.4 10.2.3.45 110.2.3.4 1.2.3.4.5 x1.2.3.4 1.2.3.4x 1.2.3.4_ 1.2.3.4, v1.2.3.20240101',
  '1.2.3.456789ab 999.1.2.3.4 9999.1.2.3.4 1.2.3.4.5555 1.2.3.4.123456 é1.2.3.4 1.2.3.4é',
  'é123456 123456é ²123456 12²3456 Ⅷ123456 ٣٤٥٦٧٨ 123٣456 x٣',
  'cafe-babe face add bad dead',
  'a\x1fb\x1f\x1fc\0d\te\nf',
  'can\'t won\'t "quoted" <tag attr="v"/> {"k":"v"} a=b&c=d key:val /cart/add',
  'ˍunderˍ ·mid·dot· a·b a‿b',
  '😀word😀 a😀b \u200bzero\u200bwidth\u00adsoft\u00a0nbsp',
  'ﬁ ﬂ ſ ǅ ǆ Ǆ ẞ Å Ω K',
  'कखग ไทย العربية עברית',
  '',
]
const IDS: readonly Readonly<Record<string, string>>[] = [
  { trace_id: 'CAFEBABE-dead-beef-0123-456789abcdef' },
  { a: 'deadbeefdeadbeef', b: '0000-1111-2222-FACE' },
  { a: '----------------', b: 'ABCDEFABCDEFABCDEF' },
]

const WORD = /[\p{L}\p{Nd}_]+/gu
const wordsOf = (text: string) => new Set(foldCase(text).match(WORD) ?? [])
/** As the compiler asks for words that it has no tokens of. */
const ASKED = wordsExpression('{word:String}')

describe.each(STORE_VARIANTS)('skip indexes: $name', ({ open }) => {
  let store: Store
  let stop: () => Promise<void> = async () => {}
  const events: { text: string; ids: Readonly<Record<string, string>> }[] = []
  /** Of each event what stands beside its message. */
  const values: string[] = []
  beforeAll(async () => {
    ;({ store, stop } = await open())
    const random = fc.sample(hostileText(), { numRuns: series(120, 400), seed: 7 })
    const texts = [
      ...TEXTS,
      ...random,
      ...TEXTS.flatMap((a) => TEXTS.map((b) => `${a}${b}`)).slice(0, 120),
    ]
    texts.forEach((text, i) => {
      events.push({ text: text.replaceAll('\ufffd', ''), ids: IDS[i % 7] ?? {} })
    })
    // Half of a text is the message, half a value; the border between them cuts words, as 0x1f
    // does.
    const rows = events.map(({ text, ids }, i): StoredEvent => {
      const half = i % 3 === 0 ? text.length : text.search(/\s|$/)
      const event = events[i]
      if (event) event.text = `${text.slice(0, half)}\x1f${text.slice(half)}`
      values.push(text.slice(half))
      return { message: text.slice(0, half), rest: `\x1f${text.slice(half)}`, ids, offset: i }
    })
    // Several parts, so that the index of each decides for itself.
    for (let at = 0; at < rows.length; at += 150)
      await store.insertNative(eventsInsert(`texts-${at}`, rows.slice(at, at + 150)))
  })
  afterAll(() => stop())

  const found = async (
    condition: string,
    params: Record<string, unknown>,
    settings: Record<string, number> = {},
  ) => {
    const rows = await store.query<{ offset: string }>({
      sql: `SELECT offset FROM events WHERE ${condition}`,
      params,
      settings: {
        use_skip_indexes_for_disjunctions: 1,
        use_query_condition_cache: 0,
        ...settings,
      },
    })
    return new Set(rows.map(({ offset }) => Number(offset)))
  }
  const holding = (
    has: (event: { text: string; ids: Readonly<Record<string, string>> }) => boolean,
  ) => events.flatMap((event, i) => (has(event) ? [i] : []))

  it('folding is one function in SQL and here', async () => {
    const folded = await store.query<{ offset: string; text: string }>({
      sql: `SELECT offset, ${foldExpression(TEXT_EXPRESSION)} AS text FROM events ORDER BY offset`,
    })
    expect(folded.map(({ text }) => text)).toEqual(events.map(({ text }) => foldCase(text)))
  })

  it('an indexed word is found in every row that holds it, an exact one in no other', async () => {
    const words = [...new Set(events.flatMap(({ text }) => [...wordsOf(text)]))]
    const indexed = words.filter(isIndexedWord)
    expect(indexed.length).toBeGreaterThan(200)
    const missed: string[] = []
    await inBatches(indexed, async (word) => {
      const rows = await found(`hasAllTokens(${WORDS_COLUMN}, ${ASKED})`, { word })
      const expected = holding(({ text }) => wordsOf(text).has(word))
      const tokens = indexTokens([word])
      if (tokens !== undefined) {
        const byTokens = await found(`hasAllTokens(${WORDS_COLUMN}, {tokens:Array(String)})`, {
          tokens,
        })
        if (byTokens.size !== rows.size || [...byTokens].some((i) => !rows.has(i)))
          missed.push(`${word} by its token`)
      }
      if (expected.some((i) => !rows.has(i))) missed.push(word)
      if (isExactWord(word) && rows.size !== expected.length) missed.push(`${word} is not exact`)
    })
    expect(missed).toEqual([])
  })

  it('white space in a value beside the message is known of every event that has some', async () => {
    const rows = await found(`hasAllTokens(${WORDS_COLUMN}, {tokens:Array(String)})`, {
      tokens: spacedTokens([]),
    })
    expect(values.filter((value) => /\s/.test(value)).length).toBeGreaterThan(20)
    expect(values.flatMap((value, i) => (/\s/.test(value) && !rows.has(i) ? [value] : []))).toEqual(
      [],
    )
    expect(
      values.flatMap((value, i) =>
        !/[\s\u0080-\uffff]/.test(value) && rows.has(i) ? [value] : [],
      ),
    ).toEqual([])
  })

  // The engine leaves an index aside as it sees fit, and does so beside constants under NOT.
  it('a word has the same rows where its index is not read', async () => {
    const words = [...new Set(events.flatMap(({ text }) => [...wordsOf(text)]))]
    const some = words.filter(isIndexedWord).filter((_, i) => i % 10 === 0)
    const differing: string[] = []
    await inBatches(some, async (word) => {
      const test = `hasAllTokens(${WORDS_COLUMN}, ${ASKED})`
      const rows = await found(test, { word })
      const others = [
        await found(test, { word }, { use_skip_indexes: 0 }),
        await found(`if(log_id >= 0, ${test}, 0)`, { word }),
        await found(`NOT (NOT ${test} OR (log_id = 3 AND log_id = 4))`, { word }),
      ]
      if (others.some((same) => same.size !== rows.size || [...same].some((i) => !rows.has(i))))
        differing.push(word)
    })
    expect(differing).toEqual([])
  })

  it('words of numbers and identifiers are not called indexed, words beside them are', () => {
    for (const word of [
      '404',
      '0',
      '12345',
      '5b',
      'a1b2c3d4e',
      'feed1234567',
      'ⅷ',
      'e\u0301',
      'a-b',
      '',
    ])
      expect([word, isIndexedWord(word)]).toEqual([word, false])
    for (const word of [
      'utf8',
      'web01',
      'x2y',
      'deadbeef',
      'user_id',
      '_',
      'größe',
      'maß5',
      '5xx',
      '日本語',
    ])
      expect([word, isIndexedWord(word)]).toEqual([word, true])
    expect(['maß5', 'größe', 'user_id', 'deadline'].map(isExactWord)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('a long number or identifier is found in every row that holds it', async () => {
    const words = [...new Set(events.flatMap(({ text }) => [...wordsOf(text)]))].filter(
      isIndexedNumber,
    )
    expect(words.length).toBeGreaterThan(5)
    const missed: string[] = []
    await inBatches(words, async (word) => {
      const rows = await found(`has(${NUMBERS_EXPRESSION}, {word:String})`, { word })
      if (holding(({ text }) => wordsOf(text).has(word)).some((i) => !rows.has(i)))
        missed.push(word)
    })
    expect(missed).toEqual([])
  })

  it('an address is found wherever its characters stand between word borders', async () => {
    const addresses = ['1.2.3.4', '2.3.4.5', '10.2.3.4', '10.2.3.45', '999.1.2.3', '0.0.0.0']
    for (const address of addresses) {
      expect(isIndexedAddress(address)).toBe(true)
      const exact = new RegExp(
        `(?<![\\p{L}\\p{Nd}_])${address.replaceAll('.', '\\.')}(?![\\p{L}\\p{Nd}_])`,
        'u',
      )
      const rows = await found(`hasAny(${NUMBERS_EXPRESSION}, {list:Array(String)})`, {
        list: [address, LONG_RUN],
      })
      const expected = holding(({ text }) => exact.test(foldCase(text)))
      expect([address, expected.filter((i) => !rows.has(i))]).toEqual([address, []])
    }
    expect(['1.2.3', '1.2.3.4.5', '1234.1.1.1', '1.2.3.x'].map(isIndexedAddress)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  it('identifiers are found whole and by their parts, exactly', async () => {
    const parts = [
      'cafebabe',
      'dead',
      'beef',
      'face',
      '0123',
      '456789abcdef',
      'deadbeefdeadbeef',
      'abcdefabcdefabcdef',
      '0000',
    ]
    for (const word of [...parts, 'cafebabe-dead-beef-0123-456789abcdef', 'cafe', 'nothing']) {
      const rows = await found(`has(${IDS_EXPRESSION}, {word:String})`, { word })
      const expected = holding(({ ids }) =>
        Object.values(ids).some((id) =>
          [id.toLowerCase(), ...id.toLowerCase().split('-')].includes(word),
        ),
      )
      expect([word, [...rows].sort((a, b) => a - b)]).toEqual([word, expected])
      if (expected.length > 0) expect(mayStandInIds(word)).toBe(true)
    }
  })

  it.each([
    ['ix_w', `hasAllTokens(${WORDS_COLUMN}, ['nowhereword'])`],
    ['ix_num', `has(${NUMBERS_EXPRESSION}, '987654321987')`],
    ['ix_num', `hasAny(${NUMBERS_EXPRESSION}, ['250.251.252.253', '...'])`],
    ['ix_ids', `has(${IDS_EXPRESSION}, '1234123412341234')`],
    ['ix_off', 'offset > 123456789'],
    ['ix_ts', "timestamp < toDateTime64('2001-01-01 00:00:00', 9, 'UTC')"],
    ['ix_log', 'log_id = 77'],
  ])('the engine uses %s for %s', async (index, condition) => {
    const rows = await store.query<{ explain: string }>({
      sql: `EXPLAIN indexes = 1 SELECT log_id FROM events WHERE ${condition}`,
    })
    const text = rows.map(({ explain }) => explain).join('\n')
    // ix_ts: the primary key is first to exclude by time.
    expect(text).toMatch(
      index === 'ix_ts' ? /PrimaryKey|Primary Key/i : new RegExp(`\\b${index}\\b`),
    )
    expect(text).toMatch(/Granules: 0(?:\/\d+)?/)
  })
})

/** Words, digits and marks of many scripts close together. */
function hostileText() {
  const pieces = [
    'a',
    'f',
    'g',
    'Z',
    '0',
    '5',
    '123',
    'dead',
    'BEEF',
    'ß',
    'é',
    'É',
    'Σ',
    'ς',
    'İ',
    'ı',
    'K',
    'ö',
    'Ö',
    'я',
    'Я',
    '日',
    '本',
    '٣',
    '²',
    'Ⅷ',
    '\u0301',
    '_',
    '__',
    '-',
    '.',
    '..',
    ' ',
    ' ',
    ' ',
    '\x1f',
    '\n',
    '"',
    "'",
    '\\',
    '/',
    ':',
    '·',
    'ˍ',
    '😀',
    '\u200b',
    '１',
    'Ａ',
    'ﬁ',
  ]
  return fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 24 })
    .map((parts) => parts.join(''))
}

async function inBatches<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += 20) await Promise.all(items.slice(at, at + 20).map(run))
}
