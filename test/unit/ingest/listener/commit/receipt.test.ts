import { describe, expect, it } from 'vitest'
import { Receipts } from '../../../../../ingest/listener/commit/receipt.ts'

describe('receipts', () => {
  const receipts = new Receipts(Buffer.alloc(32, 1))
  const place = { partition: 3, offset: 2 ** 53 - 1 }
  const good = receipts.print(place, 7)

  it('give their place back to their account, at any listener with the key', () => {
    expect(new Receipts(Buffer.alloc(32, 1)).parse(good, 7)).toEqual(place)
  })

  it('differ by account and place, also within one block', () => {
    expect(receipts.print(place, 8)).not.toBe(good)
    expect(receipts.print({ partition: 3, offset: 1 }, 7).split('-')[2]).not.toBe(
      good.split('-')[2],
    )
    expect(receipts.print(place, 7)).toBe(good)
  })

  it.each([
    ['of another account', good, 8],
    ['with another partition', good.replace('3-', '4-'), 7],
    ['with another offset', good.replace('1-', '0-'), 7],
    ['cut', good.slice(0, -1), 7],
    ['with more behind', `${good}0`, 7],
    ['with a changed digit', good.slice(0, -1) + (good.endsWith('0') ? '1' : '0'), 7],
    ['in capitals', good.toUpperCase(), 7],
    ['with a leading zero', `0${good}`, 7],
    [
      'with an offset above what is exact',
      good.replace(String(place.offset), '9999999999999999'),
      7,
    ],
    ['empty', '', 7],
  ])('are refused when %s', (_, text, account) => {
    expect(receipts.parse(text, account)).toBeUndefined()
  })

  it('of another key are refused', () => {
    expect(new Receipts(Buffer.alloc(32, 2)).parse(good, 7)).toBeUndefined()
  })
})
