// Changes of second factors, each inside the caller's write transaction (docs/decisions/0045).
import type { Transaction } from 'kysely'
import { Failure } from '../../../schemas/failures.ts'
import { findTotpStep, formatBase32, TOTP_SECRET_BYTES } from '../../access/totp.ts'
import type { Clock } from '../../clock.ts'
import type { SecondFactorRow } from '../../database/rows/access-tables.ts'
import type { Tables } from '../../database/tables.ts'
import type { SecretKey } from '../../secrets/secret-box.ts'
import type { SecretKeys } from '../../secrets/secret-keys.ts'
import { raiseVersion } from '../counters.ts'
import { readTextList } from '../json-list.ts'
import { hashSecret } from './api-tokens.ts'
import { openFactor, sealFactor } from './factor-secrets.ts'

type Keys = { readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>; readonly keys: SecretKeys }

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10
/** Wrong codes of a user, whoever tries: only those try who know the password. */
const MAX_FAILURES = 5
const FAILURES_MS = 15 * 60_000

/** One that is confirmed: it is asked for. */
export async function hasSecondFactor(
  transaction: Transaction<Tables>,
  userId: number,
): Promise<boolean> {
  return (await findRow(transaction, userId))?.is_confirmed === 1
}

/** Gives the secret. `key`: of `keys`, the one in force. One that was begun before is forgotten.
 *  Fails with object.exists, secrets.key_missing. */
export async function beginSecondFactor(
  transaction: Transaction<Tables>,
  { clock, keys, key }: Keys & { readonly key: SecretKey },
  user: { readonly id: number; readonly name: string },
): Promise<string> {
  const known = await findRow(transaction, user.id)
  if (known?.is_confirmed === 1)
    throw new Failure('object.exists', { kind: 'second factor of', name: user.name })
  await keys.claim(transaction, key)
  const secret = formatBase32(clock.randomBytes(TOTP_SECRET_BYTES))
  const sealed = sealFactor(user.id, secret, { key, clock })
  await transaction.deleteFrom('second_factors').where('user_id', '=', user.id).execute()
  await transaction
    .insertInto('second_factors')
    .values({
      ...{ user_id: user.id, secret: sealed, is_confirmed: 0, last_step: 0, recovery_hashes: '[]' },
      ...{ failures: 0, failures_from_ms: 0 },
    })
    .execute()
  return secret
}

/** Gives the recovery codes; undefined: the code is wrong. Fails with object.not_found where none
 *  was begun. */
export async function confirmSecondFactor(
  transaction: Transaction<Tables>,
  { clock, keys }: Keys,
  user: { readonly id: number; readonly name: string },
  code: string,
): Promise<string[] | undefined> {
  const row = await findRow(transaction, user.id)
  if (row === undefined || row.is_confirmed === 1)
    throw new Failure('object.not_found', { kind: 'begun second factor of', name: user.name })
  const step = findStep(row, code, { keys, nowMs: clock.nowMs(), afterStep: 0 })
  if (step === undefined) return undefined
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(clock))
  await change(transaction, user.id, {
    ...{ is_confirmed: 1, last_step: step },
    recovery_hashes: JSON.stringify(codes.map(hashRecoveryCode)),
  })
  await raiseVersion(transaction, 'access')
  return codes
}

/** Fails with object.not_found. */
export async function removeSecondFactor(
  transaction: Transaction<Tables>,
  user: { readonly id: number; readonly name: string },
): Promise<void> {
  const [result] = await transaction
    .deleteFrom('second_factors')
    .where('user_id', '=', user.id)
    .execute()
  if (Number(result?.numDeletedRows ?? 0) === 0)
    throw new Failure('object.not_found', { kind: 'second factor of', name: user.name })
  await raiseVersion(transaction, 'access')
}

/** A code of the app or a recovery code: right once. Too many wrong ones, and none is looked at for
 *  a while. */
export async function useSecondFactor(
  transaction: Transaction<Tables>,
  { clock, keys }: { readonly clock: Pick<Clock, 'nowMs'>; readonly keys: SecretKeys },
  userId: number,
  code: string,
): Promise<'right' | 'wrong' | 'slowed'> {
  const row = await findRow(transaction, userId)
  if (row?.is_confirmed !== 1) return 'wrong'
  const nowMs = clock.nowMs()
  const isCounted = nowMs < Number(row.failures_from_ms) + FAILURES_MS
  const failures = isCounted ? row.failures : 0
  if (failures >= MAX_FAILURES) return 'slowed'
  const used = useCode(row, code, { keys, nowMs })
  if (used === undefined) {
    const failures_from_ms = isCounted ? Number(row.failures_from_ms) : nowMs
    await change(transaction, userId, { failures: failures + 1, failures_from_ms })
    return 'wrong'
  }
  await change(transaction, userId, { ...used, failures: 0 })
  return 'right'
}

function useCode(
  row: SecondFactorRow,
  code: string,
  at: { readonly keys: SecretKeys; readonly nowMs: number },
): Partial<SecondFactorRow> | undefined {
  const step = findStep(row, code, { ...at, afterStep: Number(row.last_step) })
  if (step !== undefined) return { last_step: step }
  const hashes = readTextList(row.recovery_hashes)
  const left = hashes.filter((hash) => hash !== hashRecoveryCode(code))
  return left.length === hashes.length ? undefined : { recovery_hashes: JSON.stringify(left) }
}

/** Without the key of the secret no code is right; recovery codes are. */
function findStep(
  row: SecondFactorRow,
  code: string,
  { keys, ...times }: { keys: SecretKeys; nowMs: number; afterStep: number },
): number | undefined {
  const secret = openFactor(row, keys)
  return secret === undefined ? undefined : findTotpStep(secret, code, times)
}

function makeRecoveryCode(clock: Pick<Clock, 'randomBytes'>): string {
  return formatBase32(clock.randomBytes(RECOVERY_BYTES)).replaceAll(/.{4}(?=.)/g, '$&-')
}

function hashRecoveryCode(code: string): string {
  return hashSecret(code.toUpperCase().replaceAll(/[\s-]/g, ''))
}

async function change(
  transaction: Transaction<Tables>,
  userId: number,
  values: Partial<SecondFactorRow>,
): Promise<void> {
  await transaction
    .updateTable('second_factors')
    .set(values)
    .where('user_id', '=', userId)
    .execute()
}

async function findRow(
  transaction: Transaction<Tables>,
  userId: number,
): Promise<SecondFactorRow | undefined> {
  return await transaction
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
}
