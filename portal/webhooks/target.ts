// Where a webhook may go, as far as its address tells; what its name means is judged at each
// attempt (infra/outbound/find-address.ts).
import { isIP } from 'node:net'
import { isPublicAddress } from '../../infra/outbound/public-addresses.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'

/** `any`: inner networks, too, and without TLS. */
export type WebhookTargets = 'public' | 'any'

/** In the form in which it is kept. Fails with portal.invalid_request. */
export function readTarget(given: string, targets: WebhookTargets): string {
  const fault = findFault(given, targets)
  if (fault !== undefined) throw new InvalidRequest([{ pointer: '/url', message: fault }])
  return new URL(given).href
}

function findFault(given: string, targets: WebhookTargets): string | undefined {
  // What a parser would take away without a word.
  if (/[\s\p{Cc}\\]/u.test(given) || !URL.canParse(given)) return 'is no address'
  const { protocol, username, password, hash, hostname } = new URL(given)
  if (protocol !== 'https:' && !(targets === 'any' && protocol === 'http:')) return 'must be https'
  if (username !== '' || password !== '') return 'must hold no user and no password'
  if (hash !== '' || given.includes('#')) return 'must hold no fragment'
  const bare = hostname.replace(/^\[|\]$/g, '')
  const isInner = isIP(bare) !== 0 && !isPublicAddress(bare)
  return targets === 'public' && isInner ? 'is no address of the public internet' : undefined
}
