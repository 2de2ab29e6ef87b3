// One spelling of a value, so that its hash is the same however it was written.
import type { MaskTarget } from '../../schemas/masking/mask-rule.ts'
import { normalizeAddress } from '../split/source-address.ts'

export function canonicalValue(target: MaskTarget, text: string): string {
  if (target.kind !== 'detector') return text
  switch (target.detector) {
    case 'email':
      return text.toLowerCase()
    case 'ipv4':
    case 'ipv6':
      return normalizeAddress(text)
    case 'card':
      return text.replace(/\D/g, '')
    case 'iban':
      return text.replace(/[ -]/g, '').toUpperCase()
    case 'phone':
      return text.replace(/\D/g, '').replace(/^00/, '')
    case 'bearer':
      return text
  }
}
