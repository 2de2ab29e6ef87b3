// A piece is whole events; what is left goes into the next one. After a crash it is cut again from
// the bytes that it took, and must be the same.
import { expect, it } from 'vitest'
import { cutPiece } from '../../../../ingest/collect/cut-piece.ts'
import { textFormOf } from '../../../../ingest/collect/text-form.ts'
import { makeAccount } from '../../../support/ingest/split-event.ts'
import { makeRandom } from '../../../support/reference/random/random.ts'

const PATTERN = '{date:Day,yyyy-MM-dd} {string:Text}'
const LINES = ['2026-01-01 first\n', '2026-01-02 größe\r\n', '  at x\n', '\n', '\r\n']

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
