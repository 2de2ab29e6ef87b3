// Links by mail that let somebody choose a password: once, and not for long. Only a hash is kept.
import { Failure } from '../../schemas/failures.ts'
import { hashSecret, makeSecret, readSecretKind } from '../access/secrets.ts'
import type { PortalTransaction } from '../database/open.ts'
import type { PersonRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { putMail } from '../mail/outbox.ts'

const HOUR_MS = 3_600_000
const KINDS = {
  invitation: {
    lifeMs: 7 * 24 * HOUR_MS,
    subject: 'Your access to the Logeye portal',
    begin: 'you have been given access to the Logeye portal. Choose a password within seven days:',
    end: 'If you did not expect this, ignore it.',
  },
  reset: {
    lifeMs: HOUR_MS,
    subject: 'A new password for the Logeye portal',
    begin: 'somebody asked for a new password of your access. Choose it within an hour:',
    end: 'If that was not you, ignore this: nothing has changed.',
  },
} as const

export async function sendLink(
  transaction: PortalTransaction,
  person: Pick<PersonRow, 'id' | 'email' | 'name'>,
  purpose: keyof typeof KINDS,
  deps: Pick<PortalDeps, 'clock' | 'keys' | 'publicUrl'>,
): Promise<void> {
  const { lifeMs, subject, begin, end } = KINDS[purpose]
  const nowMs = deps.clock.nowMs()
  const { text, hash } = makeSecret('link', deps.clock)
  await transaction
    .insertInto('one_time_links')
    .values({
      ...{ hash, person_id: person.id, purpose, created_ms: nowMs },
      ...{ expires_ms: nowMs + lifeMs, used_ms: null },
    })
    .execute()
  // After #, so that no server logs it.
  const link = `${deps.publicUrl}/portal/password#${text}`
  const mail = { to: person.email, subject, text: `Hello,\n\n${begin}\n\n${link}\n\n${end}\n` }
  await putMail(transaction, mail, deps)
}

/** Whose it is; it and all others of the person are used up. Fails with portal.link_ended. */
export async function useLink(
  transaction: PortalTransaction,
  text: string,
  nowMs: number,
): Promise<string> {
  const isOurs = readSecretKind(text) === 'link'
  const found = transaction.selectFrom('one_time_links').selectAll()
  const row = isOurs
    ? await found.where('hash', '=', hashSecret(text)).executeTakeFirst()
    : undefined
  if (row === undefined || row.used_ms !== null || row.expires_ms <= nowMs)
    throw new Failure('portal.link_ended')
  await endLinks(transaction, row.person_id, nowMs)
  return row.person_id
}

/** No link that was sent to the person opens anything any more. */
export async function endLinks(
  transaction: PortalTransaction,
  personId: string,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable('one_time_links')
    .set({ used_ms: nowMs })
    .where('person_id', '=', personId)
    .where('used_ms', 'is', null)
    .execute()
}
