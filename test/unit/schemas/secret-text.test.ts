import { expect, it } from 'vitest'
import { formatSecret, isSecret } from '../../../schemas/secret-text.ts'

it('has a prefix, 43 digits for 256 bits and a checksum', () => {
  const least = formatSecret('tok_', new Uint8Array(32))
  const most = formatSecret('tok_', new Uint8Array(32).fill(255))
  for (const text of [least, most]) expect(text).toMatch(/^tok_[0-9A-Za-z]{49}$/)
  expect(least.slice(4, 47)).toBe('0'.repeat(43))
  expect(most.slice(4, 6)).not.toBe('00')
})

it('knows its own, and no other text', () => {
  const secret = formatSecret(
    'tok_',
    Uint8Array.from({ length: 32 }, (_, at) => at * 7),
  )
  expect(isSecret('tok_', secret)).toBe(true)
  expect(isSecret('ses_', secret)).toBe(false)
  for (let at = 0; at < secret.length; at += 1) {
    const other = secret[at] === 'x' ? 'y' : 'x'
    expect(isSecret('tok_', secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false)
  }
  for (const text of ['', 'tok_', `${secret}0`, secret.slice(1), ` ${secret}`])
    expect(isSecret('tok_', text)).toBe(false)
})
