import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromByteText, toByteText } from '../../../schemas/byte-text.ts'

describe('a text of bytes', () => {
  it('holds the bytes of a text, and the two separators as themselves', () => {
    expect(toByteText('plain')).toBe('plain')
    const text = 'ü\u2028\u2029 \u{1f600}'
    expect(toByteText(text)).toBe('\xc3\xbc\u2028\u2029 \xf0\x9f\x98\x80')
    expect(fromByteText(toByteText(text)).toString('utf8')).toBe(text)
  })

  it('gives the bytes of every text back, also through JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(text, 'utf8')
        expect(fromByteText(toByteText(text)).equals(bytes)).toBe(true)
        const throughJson: string = JSON.parse(JSON.stringify(toByteText(text)))
        expect(fromByteText(throughJson).equals(bytes)).toBe(true)
      }),
    )
  })

  it('gives back bytes that are no UTF-8, as they are read', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (array) => {
        const bytes = Buffer.from(array)
        expect(fromByteText(bytes.toString('latin1')).equals(bytes)).toBe(true)
      }),
    )
  })
})
