// The guard of what goes out (docs/decisions/0047): resolves a name once, and gives the address
// that is then connected to, so that no second answer of the name service leads elsewhere. Accounts
// are made by operators, and inner networks and this machine are what they are for. Refused is what
// no log comes from and what would give away more than was asked for: the services by which clouds
// tell a machine its own credentials, and addresses of no one machine.
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

export type FoundAddress = { readonly address: string; readonly family: 4 | 6 }

const NAME_MS = 5000
const REFUSED = makeRefused()

/** Throws OutboundError. */
export async function findAddress(host: string, signal: AbortSignal): Promise<FoundAddress> {
  const bare = host.replace(/^\[|\]$/g, '')
  const found = await resolve(bare, signal)
  const allowed = found.find((it) => !isRefused(it))
  if (allowed === undefined)
    throw new OutboundError(`the product does not connect to the address ${found[0]?.address}`)
  return allowed
}

/** Its message may be shown to whoever made the account: it holds nothing that the other side
 *  said. */
export class OutboundError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'OutboundError'
  }
}

function isRefused({ address, family }: FoundAddress): boolean {
  return REFUSED.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

async function resolve(host: string, signal: AbortSignal): Promise<readonly FoundAddress[]> {
  const own = isIP(host)
  if (own !== 0) return [{ address: host, family: own === 6 ? 6 : 4 }]
  const late = AbortSignal.any([signal, AbortSignal.timeout(NAME_MS)])
  const ended = new Promise<never>((_, reject) => {
    late.addEventListener('abort', () => reject(new Error('late')), { once: true })
  })
  try {
    const found = await Promise.race([lookup(host, { all: true, verbatim: true }), ended])
    return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
  } catch (error) {
    const reason = late.aborted ? 'the name service does not answer' : `there is no host ${host}`
    throw new OutboundError(reason, error)
  }
}

/** Addresses of IPv4 inside IPv6 (::ffff:…) are judged as those of IPv4. */
function makeRefused(): BlockList {
  const list = new BlockList()
  list.addSubnet('0.0.0.0', 8)
  list.addSubnet('169.254.0.0', 16)
  list.addSubnet('224.0.0.0', 3)
  list.addAddress('100.100.100.200')
  list.addAddress('168.63.129.16')
  list.addAddress('192.0.0.192')
  list.addAddress('::', 'ipv6')
  list.addSubnet('fe80::', 10, 'ipv6')
  list.addSubnet('ff00::', 8, 'ipv6')
  list.addAddress('fd00:ec2::254', 'ipv6')
  return list
}
