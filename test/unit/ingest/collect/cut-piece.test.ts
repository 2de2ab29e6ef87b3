// A piece is whole events; what is left goes into the next one. After a crash it is cut again from
// the bytes that it took, and must be the same.
import { expect, it } from 'vitest'
import { cutPiece } from '../../../../ingest/collect/cut-piece.ts'
import { textFormOf } from '../../../../ingest/collect/text-form.ts'
import { makeAccount } from '../../../support/ingest/split-event.ts'
import { makeRandom } from '../../../support/reference/random/random.ts'

const PATTERN = '{date:Day,yyyy-MM-dd} {string:Text}'
const LINES = [
  ...['2026-01-01 first\n', '2026-01-02 größe\r\n', '  at x\n', '\n', '\r\n'],
  ...['{"a":1}\n', '{"b":{"größe":[1]}}\r\n', '{"a":1} more}\n', '{"a":\n'],
]

const form = textFormOf(Buffer.from('text'), null)
if (form === undefined) throw new Error('it is text')

const textsOf = ({ body, ranges }: { body: Buffer; ranges: Uint32Array }) =>
  Array.from({ length: ranges.length / 2 }, (_, at) =>
    body.toString('utf8', ranges[at * 2], ranges[at * 2 + 1]),
  )

it.each([
  { name: 'lines', patterns: [] },
  { name: 'events of several lines', patterns: [PATTERN] },
])('cuts $name into the same events, wherever a read ends', ({ patterns }) => {
  const account = makeAccount({ patterns })
  const random = makeRandom(11)
  for (let round = 0; round < 200; round += 1) {
    const text = Array.from({ length: 1 + random.below(12) }, () => random.pick(LINES)).join('')
    const bytes = Buffer.from(random.chance(0.2) ? `\u{feff}${text}` : text)
    const options = { form, account, keeps: undefined }
    const whole = textsOf(cutPiece(bytes, { ...options, isFinal: true }))
    const read = bytes.subarray(0, random.below(bytes.length + 1))
    const piece = cutPiece(read, { ...options, isFinal: false })
    const again = cutPiece(bytes.subarray(0, piece.taken), { ...options, isFinal: true })
    expect({ ...again, body: again.body.toString() }).toEqual({
      ...piece,
      body: piece.body.toString(),
    })
    const rest = cutPiece(bytes.subarray(piece.taken), { ...options, isFinal: true })
    const texts = [...textsOf(piece), ...textsOf(rest)]
    expect(texts.map((it) => it.trimEnd())).toEqual(whole.map((it) => it.trimEnd()))
  }
})

it.each([
  ['an object', '{"level":"info","message":"a"}', true],
  ['an object with spaces', '{ "a" : [ 1, {} ] }', true],
  ['an empty object', '{}', true],
  ['what only looks like one', '{level=info}', false],
  ['an object and more', '{"a":1} {"b":2}', false],
  ['two objects', '{"a":1}{"b":2}', false],
  ['an array', '[{"a":1}]', false],
  ['a text', '"text"', false],
  ['what is too deep', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, false],
  [
    'what has too many columns',
    `{${Array.from({ length: 1100 }, (_, at) => `"c${at}":1`).join()}}`,
    false,
  ],
])('knows %s', (_name, line, isObject) => {
  const cut = (text: string, patterns: string[] = []) =>
    textsOf(
      cutPiece(Buffer.from(text), {
        ...{ form, account: makeAccount({ patterns }), keeps: undefined, isFinal: true },
      }),
    )
  const end = isObject ? '' : '\n'
  expect(cut(`first\n${line}\nlast\n`)).toEqual(['first\n', `${line}${end}`, 'last\n'])
  expect(cut(line)).toEqual([`${line}${end}`])
  // Patterns are of lines of text.
  expect(cut(`${line}\n`, ['{string:All}'])).toEqual([`${line}\n`])
})
