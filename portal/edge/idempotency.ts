// Calls that are sent again (decision 9.2): the answer is kept in the transaction that did the
// work, so that a repeat finds both or neither, whatever was killed. Writers are serial: of equal
// calls at one moment the first works, the others wait and are told its answer.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Failure } from '../../schemas/failures.ts'
import type { PortalKeys } from '../access/portal-keys.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'

const shownSchema = z.strictObject({ headers: z.record(z.string(), z.string()), text: z.string() })

export const IDEMPOTENCY_HEADER = 'idempotency-key'
/** Answers are kept for so long. */
export const KEPT_MS = 24 * 3_600_000

/** Which call it is: of whom, what, with which body. */
export type Repeatable = {
  readonly caller: string
  /** Method and path. */
  readonly call: string
  readonly key: string
  readonly bodyHash: string
}

export type KeptAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; '' for none. */
  readonly text: string
  /** Shows a secret: kept encrypted. */
  readonly isSecret: boolean
}

/** Undefined: none was given. Fails with portal.invalid_idempotency_key. */
export function readIdempotencyKey(request: Request): string | undefined {
  const given = request.headers.get(IDEMPOTENCY_HEADER)
  if (given === null) return undefined
  const bare = /^"(.*)"$/.exec(given)?.[1] ?? given
  if (!/^[\x20-\x7e]{1,255}$/.test(bare) || bare.trim() === '')
    throw new Failure('portal.invalid_idempotency_key')
  return bare
}

export function hashBody(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('hex')
}

/** What is asked for in the address counts as the body does. */
export function hashQuery(search: string, bodyHash: string): string {
  return search === '' ? bodyHash : hashBody(Buffer.from(`${bodyHash} ${search}`))
}

/** There is a kept answer, whatever its body was. */
export async function hasAnswer(
  db: PortalReader,
  { caller, call, key }: Omit<Repeatable, 'bodyHash'>,
  nowMs: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('idempotent_answers')
    .select('created_ms')
    .where('caller', '=', caller)
    .where('call', '=', call)
    .where('key', '=', key)
    .executeTakeFirst()
  return row !== undefined && row.created_ms > nowMs - KEPT_MS
}

/** The kept answer, or undefined. Fails with portal.idempotency_key_reused. */
export async function findAnswer(
  db: PortalReader,
  { caller, call, key, bodyHash }: Repeatable,
  { keys, nowMs }: { readonly keys: PortalKeys; readonly nowMs: number },
): Promise<KeptAnswer | undefined> {
  const row = await db
    .selectFrom('idempotent_answers')
    .selectAll()
    .where('caller', '=', caller)
    .where('call', '=', call)
    .where('key', '=', key)
    .executeTakeFirst()
  if (row === undefined || row.created_ms <= nowMs - KEPT_MS) return undefined
  if (row.body_hash !== bodyHash) throw new Failure('portal.idempotency_key_reused')
  const isSecret = row.is_sealed === 1
  const text = isSecret ? keys.open(placeOf({ caller, call, key }), row.answer) : row.answer
  return { status: row.status, ...shownSchema.parse(JSON.parse(text)), isSecret }
}

export async function keepAnswer(
  transaction: PortalTransaction,
  { caller, call, key, bodyHash }: Repeatable,
  answer: KeptAnswer,
  { keys, nowMs }: { readonly keys: PortalKeys; readonly nowMs: number },
): Promise<void> {
  const { status, headers, text, isSecret } = answer
  // A cookie is a secret, too.
  const shown = JSON.stringify({ headers, text })
  const row = {
    ...{ caller, call, key, status },
    body_hash: bodyHash,
    answer: isSecret ? keys.seal(placeOf({ caller, call, key }), shown) : shown,
    is_sealed: isSecret ? 1 : 0,
    created_ms: nowMs,
  }
  await transaction
    .insertInto('idempotent_answers')
    .values(row)
    // One that is older than a day.
    .onConflict((conflict) => conflict.columns(['caller', 'call', 'key']).doUpdateSet(row))
    .execute()
}

/** What nobody can ask for any more; called now and then. */
export async function removeOldAnswers(
  transaction: PortalTransaction,
  nowMs: number,
): Promise<void> {
  const old = transaction.deleteFrom('idempotent_answers')
  await old.where('created_ms', '<=', nowMs - KEPT_MS).execute()
}

function placeOf({ caller, call, key }: Pick<Repeatable, 'caller' | 'call' | 'key'>): string {
  return JSON.stringify(['answer', caller, call, key])
}
