// The second factor of a person (decision 9.5): codes of an app (RFC 6238), each right once, and
// ten recovery codes.
import { formatBase32 } from '../../infra/access/totp.ts'
import type { Clock } from '../../infra/clock.ts'
import { hashSecret } from '../access/secrets.ts'
import type { PortalTransaction } from '../database/open.ts'
import type { PersonRow } from '../database/tables.ts'

const CODES = 10
const CODE_BYTES = 10

/** Four groups of four letters and digits. */
export function makeRecoveryCodes(clock: Pick<Clock, 'randomBytes'>): string[] {
  return Array.from({ length: CODES }, () =>
    formatBase32(clock.randomBytes(CODE_BYTES))
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, '$1-'),
  )
}

export function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
}

/** Takes it off the person's list. False: it was not on it any more. */
export async function useRecoveryCode(
  transaction: PortalTransaction,
  personId: string,
  code: string,
): Promise<boolean> {
  const people = transaction.selectFrom('people').selectAll()
  const person = await people.where('id', '=', personId).executeTakeFirst()
  if (person === undefined || !isRecoveryCode(person, code)) return false
  const left = readHashes(person).filter((hash) => hash !== hashRecoveryCode(code))
  const update = transaction.updateTable('people').set({ recovery_hashes: JSON.stringify(left) })
  await update.where('id', '=', personId).execute()
  return true
}

export function isRecoveryCode(person: PersonRow, code: string): boolean {
  return readHashes(person).includes(hashRecoveryCode(code))
}

function readHashes({ recovery_hashes }: PersonRow): string[] {
  const given: unknown = JSON.parse(recovery_hashes)
  return Array.isArray(given) ? given.filter((hash) => typeof hash === 'string') : []
}
