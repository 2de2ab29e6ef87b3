import { expect, it } from 'vitest'
import {
  findTotpStep,
  formatBase32,
  formatTotpUri,
  totpCode,
} from '../../../../infra/access/totp.ts'

const KEY = Buffer.from('12345678901234567890')
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

// RFC 6238, appendix B, SHA1.
it.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('gives at %i the code of the RFC', (second, code) => {
  expect(totpCode(KEY, Math.floor(second / 30), 8)).toBe(code)
})

// RFC 4226, appendix D.
it('gives the counted codes of the RFC', () => {
  const codes = Array.from({ length: 10 }, (_, at) => totpCode(KEY, at, 6))
  expect(codes.join(' ')).toBe(
    '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489',
  )
})

// RFC 4648, section 10.
it.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
  ['12345678901234567890', SECRET],
])('writes %j in base 32', (text, encoded) => {
  expect(formatBase32(Buffer.from(text))).toBe(encoded)
})

it('takes the code of a step before and after, and none that is not later than the last', () => {
  const nowMs = 300 * 30_000 + 1000
  const find = (step: number, afterStep = 0) =>
    findTotpStep(SECRET, totpCode(KEY, step, 6), { nowMs, afterStep })
  expect([298, 299, 300, 301, 302].map((step) => find(step))).toEqual([
    ...[undefined, 299, 300, 301, undefined],
  ])
  expect([299, 300, 301].map((step) => find(step, 300))).toEqual([undefined, undefined, 301])
  for (const code of ['', '12345', '1234567', '12345a', '１２３４５６'])
    expect(findTotpStep(SECRET, code, { nowMs, afterStep: 0 })).toBeUndefined()
})

it('tells an app everything in one address', () => {
  const url = new URL(formatTotpUri('a&b ö', SECRET))
  expect([url.protocol, url.searchParams.get('secret'), url.searchParams.get('issuer')]).toEqual([
    ...['otpauth:', SECRET, 'Logeye'],
  ])
  expect(decodeURIComponent(url.pathname)).toContain('Logeye:a&b ö')
})
