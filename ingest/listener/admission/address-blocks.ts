// Addresses and blocks of them (CIDR), IPv4 and IPv6, as an allow-list names them.
import { parseAddress } from '../../split/source-address.ts'

export type AddressBlock = { readonly bytes: readonly number[]; readonly bits: number }

/** `10.1.0.0/16`, `2001:db8::/32`, or an address alone; undefined: it is none. */
export function parseBlock(text: string): AddressBlock | undefined {
  const [address = '', mask, more] = text.split('/')
  const bytes = parseAddress(address)
  if (bytes === null || more !== undefined) return undefined
  const most = bytes.length * 8
  if (mask === undefined) return { bytes, bits: most }
  const bits = /^\d{1,3}$/.test(mask) ? Number(mask) : -1
  return bits >= 0 && bits <= most ? { bytes, bits } : undefined
}

export function isInBlock(text: string, { bytes, bits }: AddressBlock): boolean {
  const own = parseAddress(text)
  if (own === null || own.length !== bytes.length) return false
  return bytes.every((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - i * 8))
    const mask = (0xff00 >> kept) & 0xff
    return (byte & mask) === ((own[i] ?? 0) & mask)
  })
}
