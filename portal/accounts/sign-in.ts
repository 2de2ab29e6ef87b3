// E-mail address, password and second factor (decision 9.5). One answer for an unknown address, a
// wrong password and a disabled person, after the same work; tries are counted in the database, so
// that neither a second process nor a restart gives new ones.
import { networkOf } from '../../infra/access/attempts.ts'
import { KNOWN_SOURCE_MS, type SignInSource } from '../../infra/access/hash-places.ts'
import { findTotpStep } from '../../infra/access/totp.ts'
import { foldName } from '../../infra/database/fold-name.ts'
import { NOBODYS_HASH, verifyPassword } from '../../infra/metastore/users/password.ts'
import { Failure } from '../../schemas/failures.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { PersonRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { isRecoveryCode, useRecoveryCode } from './second-factor.ts'

/** A minute: of a network, of a network for one name, and for one name of all networks that have
 *  failed lately. A network without failures is never refused because others guess. */
const TRIES = { network: 10, pair: 10, name: 60 }
/** How long a network has failed lately. */
const FAILURE_MINUTES = 15
/** A minute, of a person whose password was right, from wherever: a million codes are few. */
const CODES = 10

type Given = {
  readonly email: string
  readonly password: string
  readonly code?: string | undefined
}

/** The person, and what the sign-in has to write in its transaction. Fails with
 *  portal.sign_in_failed, portal.rate_limited. */
export async function signIn(
  { email, password, code }: Given,
  address: string,
  { database, clock, keys, limits, hashPlaces }: PortalDeps,
): Promise<{ person: PersonRow; finish: (transaction: PortalTransaction) => Promise<void> }> {
  const folded = foldName(email.trim()).slice(0, 254)
  const network = networkOf(address)
  const pair = `sign-in of ${folded} from ${network}`
  const failures = `failed sign-ins from ${network}`
  await limits.takeStrictly(`sign-in from ${network}`, TRIES.network)
  const tries = await limits.takeStrictly(pair, TRIES.pair)
  // Of attempts at once from a fresh network only the first is let through uncounted.
  if (tries > 1 || (await limits.hasCounted(failures, FAILURE_MINUTES)))
    await limits.takeStrictly(`sign-in of ${folded}`, TRIES.name)
  const fail = async (): Promise<never> => {
    await limits.count(failures)
    hashPlaces.fail(folded, address)
    throw new Failure('portal.sign_in_failed')
  }
  const found = database.read.selectFrom('people').selectAll()
  const person = await found.where('email_folded', '=', folded).executeTakeFirst()
  const hash =
    person === undefined || person.password_hash === '' ? NOBODYS_HASH : person.password_hash
  const { leave, urgency } = await hashPlaces.enter(folded, address)
  const isRight = await verifyPassword(password, hash, urgency).finally(leave)
  // Counted either way, and refused as a wrong code is: neither the answer nor its time tells that
  // the password was right.
  const isWithin = await limits.isWithin(
    isRight ? `codes of ${folded}` : `wrong passwords of ${folded}`,
    CODES,
  )
  if (!isRight || person === undefined || person.is_enabled !== 1 || hash === NOBODYS_HASH)
    return await fail()
  const succeed = async (transaction: PortalTransaction) => {
    await limits.forget(transaction, pair)
    hashPlaces.succeed(folded, address)
  }
  if (person.second_factor === null) return { person, finish: succeed }
  const secret = keys.open(placeOfFactor(person.id), person.second_factor)
  const now = { nowMs: clock.nowMs(), afterStep: person.totp_step }
  const given = (code ?? '').trim()
  const step = findTotpStep(secret, given, now)
  if (!isWithin || (step === undefined && !isRecoveryCode(person, given))) return await fail()
  const finish = async (transaction: PortalTransaction) => {
    await succeed(transaction)
    if (step === undefined) {
      if (await useRecoveryCode(transaction, person.id, given)) return
      throw new Failure('portal.sign_in_failed')
    }
    const used = await transaction
      .updateTable('people')
      .set({ totp_step: step })
      .where('id', '=', person.id)
      .where('totp_step', '<', step)
      .executeTakeFirst()
    // Somebody else has used the same code meanwhile.
    if (Number(used.numUpdatedRows) === 0) throw new Failure('portal.sign_in_failed')
  }
  return { person, finish }
}

/** For what seals and opens it. */
export function placeOfFactor(personId: string): string {
  return `second factor of ${personId}`
}

/** Where people have signed in lately, oldest first. */
export async function recentSignIns(db: PortalReader, nowMs: number): Promise<SignInSource[]> {
  const rows = await db
    .selectFrom('credentials')
    .innerJoin('people', 'people.id', 'credentials.owner_id')
    .select(['people.email_folded as name', 'credentials.address'])
    .where('credentials.kind', '=', 'session')
    .where('credentials.created_ms', '>', nowMs - KNOWN_SOURCE_MS)
    .orderBy('credentials.created_ms')
    .execute()
  return rows.flatMap(({ name, address }) => (address === null ? [] : [{ name, address }]))
}
