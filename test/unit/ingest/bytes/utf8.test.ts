import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkUtf8, DOUBTFUL, INVALID, VALID } from '../../../../ingest/bytes/utf8.ts'
import { series } from '../../../support/run/tier.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function expected(bytes: Uint8Array): number {
  try {
    return decoder.decode(bytes).includes('\ufffd') ? DOUBTFUL : VALID
  } catch {
    return INVALID
  }
}

/** Where UTF-8 has its borders. */
const part = fc.constantFrom(
  ...['41', '7f', '80', 'bf', 'c0', 'c1', 'c280', 'c3a9', 'dfbf', 'e0a080', 'e09fbf', 'e282ac'],
  ...['ed9fbf', 'eda080', 'ee8080', 'efbfbd', 'efbfbf', 'f0908080', 'f08fbfbf', 'f48fbfbf'],
  ...['f4908080', 'f5808080', 'ff', 'e282', 'f09f98', 'f09f9880', 'c3'],
)
const bytes = fc.oneof(
  fc.array(part, { maxLength: 6 }).map((parts) => Buffer.from(parts.join(''), 'hex')),
  fc.uint8Array({ maxLength: 8 }),
)

test('takes what a decoder takes, and tells of each U+FFFD', () => {
  fc.assert(
    fc.property(bytes, (content) => {
      const body = Buffer.concat([Buffer.from('é'), content, Buffer.from('\u0080')])
      expect(checkUtf8(body, 2, 2 + content.length)).toBe(expected(content))
    }),
    { numRuns: series(330, 2000) },
  )
})
