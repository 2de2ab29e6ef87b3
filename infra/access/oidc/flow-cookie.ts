// What a browser keeps between going to the provider and coming back: sealed, and of one use, since
// the provider takes its code once.
import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { openCookie, sealCookie } from '../sealed-cookie.ts'
import type { Flow } from './provider.ts'

export const FLOW_COOKIE = 'logeye_oidc'
export const FLOW_SECONDS = 600

const schema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() })

export function makeFlow(clock: Pick<Clock, 'randomBytes'>): Flow {
  const word = () => clock.randomBytes(32).toString('base64url')
  return { state: word(), nonce: word(), verifier: word() }
}

export function sealFlow(flow: Flow, key: Uint8Array, clock: Clock): string {
  return sealCookie(flow, { key, clock, seconds: FLOW_SECONDS })
}

/** Undefined: not ours, or over. */
export function openFlow(
  text: string,
  key: Uint8Array,
  clock: Pick<Clock, 'nowMs'>,
): Flow | undefined {
  return openCookie(text, { key, clock, schema })
}
