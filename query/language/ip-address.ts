// IP addresses and CIDR blocks of queries, as the engine's IPv6 reads them: an IPv4 address is
// ::ffff:a.b.c.d.

const V4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const GROUP = /^[0-9a-f]{1,4}$/i
const V4_PREFIX = 0xffffn << 32n

/** 128 bits; undefined: no address. */
export function parseAddress(text: string): bigint | undefined {
  return V4.test(text) ? V4_PREFIX | v4Bits(text) : parseV6(text)
}

export type AddressBlock = { readonly low: bigint; readonly high: bigint; readonly isV4: boolean }

/** `10.0.0.0/8`, `fe80::/10`, or one address. undefined: neither. Bits after the mask are
 *  ignored. */
export function parseBlock(text: string): AddressBlock | undefined {
  const [addressText = '', bitsText, ...more] = text.split('/')
  const address = parseAddress(addressText)
  if (address === undefined || more.length > 0) return undefined
  const isV4 = V4.test(addressText)
  const most = isV4 ? 32 : 128
  const bits = bitsText === undefined ? most : /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : -1
  if (bits < 0 || bits > most) return undefined
  const hostMask = (1n << BigInt(most - bits)) - 1n
  const low = (address | hostMask) ^ hostMask
  return { low, high: low | hostMask, isV4 }
}

/** Eight groups, as the engine's toIPv6 reads. */
export function formatAddress(bits: bigint): string {
  const groups: string[] = []
  for (let shift = 112n; shift >= 0n; shift -= 16n) {
    groups.push(((bits >> shift) & 0xffffn).toString(16))
  }
  return groups.join(':')
}

function v4Bits(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::')
  if (halves.length > 2 || !text.includes(':')) return undefined
  const head = readGroups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? readGroups(halves[1] ?? '', true) : []
  if (!head || !tail) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array<bigint>(missing).fill(0n), ...tail]
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n)
}

/** The last one may be an IPv4 address. */
function readGroups(text: string, isLast: boolean): bigint[] | undefined {
  if (text === '') return []
  const groups: bigint[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (GROUP.test(part)) groups.push(BigInt(`0x${part}`))
    else if (isLast && index === parts.length - 1 && V4.test(part)) {
      const bits = v4Bits(part)
      groups.push(bits >> 16n, bits & 0xffffn)
    } else return undefined
  }
  return groups
}
