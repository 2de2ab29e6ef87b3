// Addresses that everybody on the internet reaches alike. Of IPv4 all but those of the registry of
// special addresses (RFC 6890 and what came after it); of IPv6 only global unicast without its
// special parts, so that no form in which IPv4 hides in IPv6 is among them.
import { BlockList, isIP } from 'node:net'

/** Addresses of clouds that look public and answer machines of the cloud alone. */
const CLOUDS = ['168.63.129.16']

const SPECIAL_IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/3'],
]
/** Of 2000::/3: protocol assignments with Teredo, documentation, 6to4, AS112. */
const SPECIAL_IPV6 = [
  ...['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'],
]

const special = listOf(SPECIAL_IPV4, SPECIAL_IPV6)
for (const address of CLOUDS) special.addAddress(address)
const unicast = listOf([], ['2000::/3'])

/** False for what is no address at all, and for one with a zone. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  return unicast.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

function listOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList()
  const add = (range: string, family: 'ipv4' | 'ipv6') => {
    const [net = '', bits = ''] = range.split('/')
    list.addSubnet(net, Number(bits), family)
  }
  for (const range of ipv4) add(range, 'ipv4')
  for (const range of ipv6) add(range, 'ipv6')
  return list
}
