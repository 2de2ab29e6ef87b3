// Laws of splitting over arbitrary JSON text: as written by any sender, not only as JSON.stringify
// writes it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeAccountSplitter } from '../../../../ingest/split/account-splitter.ts'
import { printJson, splitNaively } from '../../../support/ingest/naive-split.ts'
import {
  kindsOf,
  makeAccount,
  readBack,
  restOf,
  shownColumnsOf,
  splitWith,
} from '../../../support/ingest/split-event.ts'

const space = fc.constantFrom('', '', '', '', ' ', '\n', '\t ', '\r\n')

const character = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...'abcdef0123456789-xyz .:TZ') },
  { weight: 2, arbitrary: fc.constantFrom('é', '😀', '\u2028', '\ufffd', '\u007f') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('\\"', '\\\\', '\\n', '\\/', '\\u0041', '\\u001f', '\\u0000'),
  },
  { weight: 1, arbitrary: fc.constantFrom('\\ud800', '\\ude00', '\\ud83d\\ude00', '\\uD83D') },
)
const string = fc.oneof(
  fc.array(character, { maxLength: 20 }).map((parts) => `"${parts.join('')}"`),
  fc.constantFrom('""', '"0123456789abcdef"', '"2024-05-01T10:00:00.5Z"', '"1588205199.8"'),
  fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => JSON.stringify(date)),
)
const number = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,18})?([eE][+-]?\d{1,3})?$/),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => String(n)),
  fc.integer().map(String),
  fc.constantFrom('0', '-0', '0.0', '1e400', '1.10', '1588205199', '1588205199.82437', '1e21'),
)
const scalar = fc.oneof(string, string, number, number, fc.constantFrom('null', 'true', 'false'))

const names = ['a', 'b', 'message', 'msg', 'timestamp', 'ts', 'h', 'productPath', 'productName']
const oddNames = ['', 'a.b', 'b.', '\\u0061', 'é', 'original timestamp', '__proto__', 'x\\n', '😀']

function objectOf(
  key: fc.Arbitrary<string>,
  value: fc.Arbitrary<string>,
  areKeysUnique: boolean,
): fc.Arbitrary<string> {
  const member = fc.tuple(key, value, space, space, space, space)
  const members = areKeysUnique
    ? fc.uniqueArray(member, { maxLength: 8, selector: ([name]) => name })
    : fc.array(member, { maxLength: 8 })
  return fc
    .tuple(members, space)
    .map(
      ([list, inner]) =>
        `{${inner}${list.map(([name, text, a, b, c, d]) => `${a}"${name}"${b}:${c}${text}${d}`).join(',')}}`,
    )
}

function arrayOf(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(space, value, space), { maxLength: 4 })
    .map((list) => `[${list.map((parts) => parts.join('')).join(',')}]`)
}

function eventOf(keys: readonly string[], areKeysUnique: boolean): fc.Arbitrary<string> {
  const key = fc.constantFrom(...keys)
  let value: fc.Arbitrary<string> = scalar
  for (let depth = 0; depth < 3; depth++) {
    const inner = value
    value = fc.oneof(
      { weight: 6, arbitrary: scalar },
      { weight: 2, arbitrary: objectOf(key, inner, areKeysUnique) },
      { weight: 1, arbitrary: arrayOf(inner) },
    )
  }
  return objectOf(key, value, areKeysUnique)
}

const account = fc.record({
  jsonParsingLevel: fc.integer({ min: 0, max: 5 }),
  messageKeys: fc.constantFrom(['message', 'msg'], ['a', 'a.b'], ['none'], ['h', 'ts']),
  timeKey: fc.constantFrom(null, 'ts', 'a.b', 'message'),
  timeZone: fc.constantFrom(null, 'Europe/Berlin', 'America/St_Johns'),
  splitColumns: fc.constantFrom(
    [],
    [
      { key: 'b', isHost: false },
      { key: 'h', isHost: true },
    ],
    [{ key: 'a.b', isHost: true }],
  ),
})
const hostName = fc.constantFrom('', 'web-01')

describe('laws of splitting', { timeout: 60_000 }, () => {
  test('every event is stored raw or rebuilt byte for byte', () => {
    const oneOrMore = fc.array(eventOf([...names, ...oddNames], false), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(account, hostName, oneOrMore, (settings, host, events) => {
        const splitter = makeAccountSplitter(makeAccount(settings), 'Asia/Kolkata')
        // Twice: the second time all shapes are known.
        for (const event of [...events, ...events]) {
          const out = splitWith(splitter, event, { hostName: host })
          expect(readBack(out, event).toString()).toBe(event)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('events as JSON.stringify writes them are mostly rebuilt', () => {
    let rebuilt = 0
    const runs = 200
    const value = fc.jsonValue({ maxDepth: 3 })
    const usual = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { maxKeys: 8 })
    fc.assert(
      fc.property(
        usual,
        fc.string({ unit: 'binary' }),
        fc.date({ noInvalidDate: true }),
        (rest, message, date) => {
          const event = JSON.stringify({ timestamp: date, message, rest })
          const out = splitWith(makeAccountSplitter(makeAccount(), 'UTC'), event)
          expect(readBack(out, event).toString()).toBe(event)
          if (!out.isStoredRaw) rebuilt++
        },
      ),
      { numRuns: runs },
    )
    expect(rebuilt).toBeGreaterThan(runs * 0.5)
  })

  test('a shape met before is split like one met for the first time', () => {
    const settings = { splitColumns: [{ key: 'h', isHost: true }] }
    const warm = makeAccountSplitter(makeAccount(settings), 'UTC')
    fc.assert(
      fc.property(eventOf([...names, ...oddNames], false), (event) => {
        const fresh = makeAccountSplitter(makeAccount(settings), 'UTC')
        const expected = splitWith(fresh, event)
        const out = splitWith(warm, event)
        expect({ ...out, columnNames: 0, columnKinds: 0, columnValues: 0 }).toEqual({
          ...expected,
          columnNames: 0,
          columnKinds: 0,
          columnValues: 0,
        })
        expect([...kindsOf(out)]).toEqual([...kindsOf(expected)])
      }),
      { numRuns: 200 },
    )
  })

  test('message, columns and rest are those of an implementation over JSON.parse', () => {
    const keys = ['a', 'b', 'message', 'msg', 'c d', 'é', '__proto__', 'productPath', 'productType']
    const levels = fc.integer({ min: 0, max: 4 })
    fc.assert(
      fc.property(levels, eventOf(keys, true), (jsonParsingLevel, event) => {
        const messageKeys = ['message', 'msg']
        const settings = makeAccount({ jsonParsingLevel, messageKeys })
        const out = splitWith(makeAccountSplitter(settings, 'UTC'), event)
        const skippedKeys = ['productPath', 'productType']
        const naive = splitNaively(event, {
          messageKeys,
          levels: Math.max(1, jsonParsingLevel),
          skippedKeys,
        })
        expect(out.message).toBe(naive.message ?? '')
        expect(out.layout === 'w').toBe(naive.message === null)
        if (jsonParsingLevel === 0) {
          expect(out.columnCount).toBe(0)
          return
        }
        const columns = new Map(
          [...kindsOf(out)].map(([name, [kind, text]]) =>
            naive.columns.get(name)?.[0] === 'json'
              ? [name, ['json', printJson(text)]]
              : [name, [kind, kind === 'number' ? String(text) : text]],
          ),
        )
        const expected = new Map(
          [...naive.columns].map(([name, [kind, text]]) => [
            name,
            [kind, kind === 'json' ? printJson(text) : text],
          ]),
        )
        expect(columns).toEqual(expected)
        expect(restOf(out)).toEqual(naive.rest)
        const shown = Object.entries(shownColumnsOf(out)).map(([name, text]) => [
          name,
          naive.columns.get(name)?.[0] === 'json' ? printJson(text) : text,
        ])
        const texts = [...naive.columns].map(([name, [kind, text]]) => [
          name,
          kind === 'json' ? printJson(text) : text,
        ])
        expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(texts))
      }),
      { numRuns: 200 },
    )
  })

  test('bytes that are no UTF-8 never make it into a layout', () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 6, min: 0x80, max: 0xff })
    fc.assert(
      fc.property(eventOf(names, false), bytes, fc.nat(), (event, inserted, place) => {
        // After a letter a: inside a key or a string, never in true, false or a number.
        const places = [...event.matchAll(/(?<=[^ftrlu]a)/g)].map((match) => match.index)
        const at = places[place % Math.max(1, places.length)]
        if (at === undefined) return
        const broken = Buffer.concat([
          Buffer.from(event.slice(0, at)),
          Buffer.from(inserted),
          Buffer.from(event.slice(at)),
        ])
        const out = splitWith(makeAccountSplitter(makeAccount(), 'UTC'), broken)
        expect(readBack(out, broken).equals(broken)).toBe(true)
        expect(Buffer.from(out.rest).toString()).toBe(out.rest)
      }),
      { numRuns: 200 },
    )
  })
})
