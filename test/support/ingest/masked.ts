// Masks events given as text, with a hash that tests can compute.
import { makeMaskHash } from '../../../ingest/listener/masking/mask-hash.ts'
import { Masker } from '../../../ingest/mask/masker.ts'
import { parseMaskRule } from '../../../schemas/masking/mask-rule.ts'

export const letters = makeMaskHash(Buffer.alloc(32, 7))

export function maskerOf(rules: readonly string[]): Masker {
  const parsed = rules.map((text) => {
    const rule = parseMaskRule(text)
    if (typeof rule === 'string') throw new Error(rule)
    return rule
  })
  return new Masker(parsed, letters, { message: ['message'], host: [] })
}

/** undefined: it stays as it is. */
export function maskJson(masker: Masker, event: string): string | undefined {
  const bytes = Buffer.from(event)
  return masker.mask(bytes, { start: 0, end: bytes.length, kind: 'json' })?.toString('utf8')
}
