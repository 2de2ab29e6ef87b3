// Who sent a request (decision 3.1): the peer, or what a trusted proxy says about it.
import { BlockList, isIP, isIPv6 } from 'node:net'

const V4_BYTES = 4
const V6_BYTES = 16
/** First twelve bytes of an IPv4 address written as IPv6 (::ffff:a.b.c.d). */
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

export interface TrustedProxies {
  readonly isEmpty: boolean
  has(address: string): boolean
}

/** Addresses or CIDR networks, v4 and v6. Throws RangeError with the entry that cannot be read. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry)
  return {
    isEmpty: entries.length === 0,
    has: (address) =>
      entries.length > 0 && isIP(address) > 0 && list.check(address, familyOf(address)),
  }
}

function addEntry(list: BlockList, entry: string): void {
  const [network = '', prefix, ...more] = entry.trim().split('/')
  if (isIP(network) === 0 || more.length > 0)
    throw new RangeError(`'${entry}' is neither an address nor a network such as 10.0.0.0/8`)
  if (prefix === undefined) {
    list.addAddress(network, familyOf(network))
    return
  }
  const bits = Number(prefix)
  if (!/^\d{1,3}$/.test(prefix) || bits > (isIPv6(network) ? 128 : 32))
    throw new RangeError(`'${entry}' has a prefix length that is out of range`)
  list.addSubnet(network, bits, familyOf(network))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

/**
 * The address a request counts for. `proxied` is the address of a PROXY line ('' without one),
 * `forwardedFor` the header, several joined by commas. Each is believed only when a trusted proxy
 * says it. Every proxy appends the address that it sees, so the header is read from the right: the
 * first address that is not a trusted proxy is the client, and what is left of it may be forged.
 */
export function resolveClient(
  said: { peer: string; proxied: string; forwardedFor: string },
  trusted: TrustedProxies,
): string {
  if (!trusted.has(said.peer)) return said.peer
  let client = said.proxied === '' ? said.peer : said.proxied
  if (said.forwardedFor === '') return client
  for (const entry of said.forwardedFor.split(',').reverse()) {
    if (!trusted.has(client)) return client
    const next = parseForwarded(entry.trim())
    // An address that cannot be read hides all that is left of it.
    if (next === undefined) return client
    client = next
  }
  return client
}

/** An entry of X-Forwarded-For; a port and IPv6 brackets are taken off. */
function parseForwarded(entry: string): string | undefined {
  const bare =
    /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ??
    /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ??
    entry
  if (isIP(bare) === 0) return undefined
  return isIPv6(bare) ? formatV6Text(bare) : bare
}

/** Text of a binary address of 4 or 16 bytes; IPv4 inside IPv6 as IPv4, IPv6 after RFC 5952; '' for
 *  any other length. */
export function formatAddress(binary: ArrayBuffer): string {
  const bytes = new Uint8Array(binary)
  if (bytes.length === V4_BYTES) return formatV4(bytes, 0)
  if (bytes.length !== V6_BYTES) return ''
  if (isMapped(bytes)) return formatV4(bytes, V6_BYTES - V4_BYTES)
  const view = new DataView(binary)
  const groups = Array.from({ length: 8 }, (_, at) => view.getUint16(at * 2).toString(16))
  return formatV6Text(groups.join(':'))
}

/** As the above, of Node's text. */
export function formatPeer(text: string): string {
  const mapped = text.startsWith('::ffff:') ? text.slice(7) : text
  return isIP(mapped) === 6 ? formatV6Text(mapped) : mapped
}

function isMapped(bytes: Uint8Array): boolean {
  for (let at = 0; at < MAPPED_PREFIX.length; at++) {
    if (bytes[at] !== MAPPED_PREFIX[at]) return false
  }
  return true
}

/** Texts of addresses seen lately: each request asks, and senders are few. Emptied when full. */
const knownV4 = new Map<number, string>()
const MAX_KNOWN = 4096

function formatV4(bytes: Uint8Array, from: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = [
    bytes[from],
    bytes[from + 1],
    bytes[from + 2],
    bytes[from + 3],
  ]
  const key = (a << 24) | (b << 16) | (c << 8) | d
  let text = knownV4.get(key)
  if (text === undefined) {
    text = `${a}.${b}.${c}.${d}`
    if (knownV4.size >= MAX_KNOWN) knownV4.clear()
    knownV4.set(key, text)
  }
  return text
}

/** The URL parser's IPv6 printer is RFC 5952, and the one already there. */
function formatV6Text(text: string): string {
  const bare = text.split('%', 1)[0] ?? text
  const printed = new URL(`http://[${bare}]/`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(printed)
  if (mapped?.[1] === undefined || mapped[2] === undefined) return printed
  const [high, low] = [Number.parseInt(mapped[1], 16), Number.parseInt(mapped[2], 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
