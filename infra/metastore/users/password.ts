// Passwords (decision 7.1): scrypt off the event loop, two at once in a process, parameters kept in
// the hash text `scrypt:<log2 N>:<r>:<p>:<salt>:<key>` (base64url), so that later ones may be
// stronger.
import { scrypt, timingSafeEqual } from 'node:crypto'
import { Failure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'

type Cost = { readonly logN: number; readonly r: number; readonly p: number }

/** 32 MiB and about 0.2 s of one core: equal in strength to the OWASP choice of N=2^17, p=1, with a
 *  quarter of the memory. */
const COST: Cost = { logN: 15, r: 8, p: 3 }
const KEY_BYTES = 32
const SALT_BYTES = 16
/** In this process. Further callers are refused: each would wait for minutes. */
const HASH_LIMITS = { maxRunning: 2, maxWaiting: 100 } as const

export async function hashPassword(
  password: string,
  clock: Pick<Clock, 'randomBytes'>,
): Promise<string> {
  const salt = clock.randomBytes(SALT_BYTES)
  const key = await deriveKey(password, salt, COST)
  return ['scrypt', COST.logN, COST.r, COST.p, toText(salt), toText(key)].join(':')
}

/** Of the hashes that wait, those that are `first` run before the `usual` ones. */
export type HashUrgency = 'first' | 'usual'

/** False also for a text that is no hash. Takes the same time for either answer. */
export async function verifyPassword(
  password: string,
  hash: string,
  urgency: HashUrgency = 'usual',
): Promise<boolean> {
  const parsed = parseHash(hash)
  if (parsed === undefined) return false
  const key = await deriveKey(password, parsed.salt, parsed.cost, urgency)
  return key.length === parsed.key.length && timingSafeEqual(key, parsed.key)
}

/** A hash that no password fits: verifying against it for an unknown user takes as long as for a
 *  known one. */
export const NOBODYS_HASH = `scrypt:${COST.logN}:${COST.r}:${COST.p}:${'A'.repeat(22)}:${'A'.repeat(43)}`

function parseHash(hash: string): { cost: Cost; salt: Buffer; key: Buffer } | undefined {
  const match = /^scrypt:(\d{1,2}):(\d{1,2}):(\d{1,2}):([\w-]+):([\w-]+)$/.exec(hash)
  if (match === null) return undefined
  const [, logN, r, p, salt = '', key = ''] = match
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  }
}

function toText(bytes: Buffer): string {
  return bytes.toString('base64url')
}

let running = 0
const waiting: Record<HashUrgency, (() => void)[]> = { first: [], usual: [] }

async function deriveKey(
  password: string,
  salt: Buffer,
  cost: Cost,
  urgency: HashUrgency = 'usual',
): Promise<Buffer> {
  await enter(urgency)
  try {
    return await new Promise((resolve, reject) => {
      const N = 2 ** cost.logN
      const maxmem = 256 * N * cost.r
      // The same password typed on two systems may come composed or decomposed.
      scrypt(
        password.normalize('NFC'),
        salt,
        KEY_BYTES,
        { N, r: cost.r, p: cost.p, maxmem },
        (error, key) => (error === null ? resolve(key) : reject(error)),
      )
    })
  } finally {
    leave()
  }
}

async function enter(urgency: HashUrgency): Promise<void> {
  if (running < HASH_LIMITS.maxRunning) {
    running += 1
    return
  }
  if (waiting[urgency].length >= HASH_LIMITS.maxWaiting) throw new Failure('sign_in.busy')
  // The place is handed over by leave(), so `running` stays as it is.
  await new Promise<void>((resolve) => {
    waiting[urgency].push(resolve)
  })
}

function leave(): void {
  const next = waiting.first.shift() ?? waiting.usual.shift()
  if (next === undefined) running -= 1
  else next()
}
