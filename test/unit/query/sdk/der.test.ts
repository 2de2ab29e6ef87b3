import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { children, readInteger, readOid, readOne } from '../../../../query/sdk/client/der.ts'

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('DER', () => {
  it('reads elements, object identifiers and integers', () => {
    const [oid, number, rest] = children(readOne(bytes('300f 06092a864886f70d010701 0202 4e20')))
    expect(readOid(oid ?? readOne(bytes('0500')))).toBe('1.2.840.113549.1.7.1')
    expect(readInteger(number ?? readOne(bytes('0500')))).toBe(20_000)
    expect(rest).toBeUndefined()
    expect(readOid(readOne(bytes('0603550403')))).toBe('2.5.4.3')
  })

  it('reads lengths of several bytes', () => {
    const long = Buffer.concat([bytes('0482012c'), Buffer.alloc(300, 7)])
    expect(readOne(long).value).toHaveLength(300)
  })

  it.each([
    ['nothing', ''],
    ['a tag alone', '30'],
    ['a length that is not all there', '308201'],
    ['content that is not all there', '0405 0102'],
    ['the open length of BER', `0480${'00'.repeat(200)}`],
    ['a tag of several bytes', '1f8101 00'],
  ])('refuses %s', (_, text) => {
    expect(() => readOne(bytes(text))).toThrow(RangeError)
  })

  it('looks for elements only where there can be any', () => {
    expect(() => children(readOne(bytes('0401ff')))).toThrow(RangeError)
    expect(() => readInteger(readOne(bytes('0200')))).toThrow(RangeError)
  })

  it('ends with elements or a RangeError whatever it is given, and stays inside it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (given) => {
        const walk = (element: ReturnType<typeof readOne>): number =>
          element.isConstructed
            ? children(element).reduce((sum, child) => sum + walk(child), 0)
            : element.value.length
        try {
          expect(walk(readOne(Buffer.from(given)))).toBeLessThanOrEqual(given.length)
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError)
        }
      }),
    )
  })
})
