import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareDecimals, parseDecimal } from '../../../schemas/decimal.ts'

describe('decimals', () => {
  test.each([
    ['1.10', '1.1', 0],
    ['1.10', '1.9', -1],
    ['-0', '0.000', 0],
    ['10', '9', 1],
    ['-10', '-9', -1],
    ['-1', '1', -1],
    ['1e3', '1000', 0],
    ['1E-3', '0.001', 0],
    ['12.5e-1', '1.25', 0],
    ['0e999', '0', 0],
    ['.5', '+0.50', 0],
    ['5.', '5', 0],
    // 30 digits that are one double
    ['123456789012345678901234567890', '123456789012345678901234567891', -1],
    ['0.12345678901234567890123456789012345678', '0.12345678901234567890123456789012345677', 1],
    // beyond 38 digits: doubles
    ['1e400', '2e400', 0],
    ['1e400', '1e300', 1],
    ['-1e400', '1', -1],
    ['1e-400', '0', 0],
    [`${'1'.repeat(40)}`, `${'1'.repeat(39)}2`, 0],
  ])('compares %s with %s by value', (a, b, order) => {
    expect(compareDecimals(a, b)).toBe(order)
    expect(compareDecimals(b, a)).toBe(0 - order)
  })

  test.each(['', ' 1', '1x', 'e5', '.', '+', '0x10', 'NaN', 'Infinity', '1e', '--1'])(
    'takes %j for no number',
    (text) => {
      expect(parseDecimal(text)).toBeNull()
      expect(compareDecimals(text, '1')).toBeNull()
    },
  )

  test('orders integers as BigInt does, however they are written', () => {
    const integer = fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n })
    const spelled = integer.chain((n) =>
      fc.constantFrom(`${n}`, `${n}.0`, `${n}0e-1`, `${n}.000`).map((text) => ({ n, text })),
    )
    fc.assert(
      fc.property(spelled, spelled, (a, b) => {
        expect(compareDecimals(a.text, b.text)).toBe(a.n < b.n ? -1 : a.n > b.n ? 1 : 0)
      }),
    )
  })

  test('orders fractions as scaled integers', () => {
    const scaled = fc.bigInt({ min: 0n, max: 10n ** 38n })
    const print = (n: bigint) => {
      const digits = String(n).padStart(21, '0')
      return `${digits.slice(0, -20)}.${digits.slice(-20)}`
    }
    fc.assert(
      fc.property(scaled, scaled, (a, b) => {
        expect(compareDecimals(print(a), print(b))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })
})
