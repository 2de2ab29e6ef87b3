// The source device of an event as text (decision 3.1), and its network for Split by IP Mask
// (decision 3.2).

/** Decision 3.1. */
const MAX_HOST_CHARACTERS = 255
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255]

/** Trimmed, at most 255 characters; a pair of surrogates is never cut. */
export function cleanHost(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length <= MAX_HOST_CHARACTERS) return trimmed
  return [...trimmed].slice(0, MAX_HOST_CHARACTERS).join('').trim()
}

/** An address in its usual spelling: `::ffff:1.2.3.4` and `::FFFF:102:304` are 1.2.3.4; other text
 *  stays as it is. */
export function normalizeAddress(text: string): string {
  const bytes = parseAddress(text)
  return bytes === null ? text : formatAddress(bytes)
}

/** `10.1.2.0/24` or `2001:db8::/64`; a host name that is no address stays whole. */
export function maskSource(source: string, bitsV4: number, bitsV6: number): string {
  const bytes = parseAddress(source)
  if (bytes === null) return source
  const bits = bytes.length === 4 ? bitsV4 : bitsV6
  const network = bytes.map((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - i * 8))
    return byte & (0xff00 >> kept) & 0xff
  })
  return `${formatAddress(network)}/${bits}`
}

/** 4 or 16 bytes; an IPv4 address mapped into IPv6 gives 4. null: no address. */
export function parseAddress(text: string): number[] | null {
  if (!text.includes(':')) return parseIpv4(text)
  const bytes = parseIpv6(text)
  const isMapped = bytes !== null && MAPPED_PREFIX.every((byte, i) => bytes[i] === byte)
  return isMapped ? bytes.slice(12) : bytes
}

function parseIpv4(text: string): number[] | null {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return null
  const bytes = text.split('.').map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

function parseIpv6(text: string): number[] | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map(parseGroups)
  if (head === undefined || head === null || tail === null) return null
  if (tail === undefined) return head.length === 16 ? head : null
  const missing = 16 - head.length - tail.length
  return missing >= 2 ? [...head, ...Array<number>(missing).fill(0), ...tail] : null
}

/** Groups of four hexadecimal digits; the last may be an IPv4 address. */
function parseGroups(text: string): number[] | null {
  if (text === '') return []
  const bytes: number[] = []
  const groups = text.split(':')
  for (const [i, group] of groups.entries()) {
    const isLast = i === groups.length - 1
    if (isLast && group.includes('.')) {
      const address = parseIpv4(group)
      if (address === null) return null
      bytes.push(...address)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(group)) return null
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 255)
    }
  }
  return bytes
}

/** RFC 5952: lower case, the longest run of two or more zero groups as '::', the first of equal
 *  ones. */
function formatAddress(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups: number[] = []
  for (let i = 0; i < 16; i += 2) groups.push((bytes[i] ?? 0) * 256 + (bytes[i + 1] ?? 0))
  let runStart = 0
  let runLength = 0
  for (let i = 0; i < 8; i++) {
    let length = 0
    while (groups[i + length] === 0) length++
    if (length > runLength) {
      runStart = i
      runLength = length
    }
  }
  const print = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':')
  if (runLength < 2) return print(groups)
  return `${print(groups.slice(0, runStart))}::${print(groups.slice(runStart + runLength))}`
}
