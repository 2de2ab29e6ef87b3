// Mails on their way: put into the database by the transaction that wants them sent, so that no
// mail goes out for what did not happen and none is lost by a kill. Sent at least once: a process
// that is killed between the server's word and its own note sends again.
import { describeError } from '../../infra/logger.ts'
import type { Mail, Mailer } from '../../infra/mail/open-mailer.ts'
import { isFailure } from '../../schemas/failures.ts'
import { newId } from '../access/ids.ts'
import type { PortalDatabase, PortalTransaction } from '../database/open.ts'
import type { MailRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'

const LOOK_EVERY_MS = 1000
/** For which one process has a mail to itself; longer than sending may take. */
const CLAIM_MS = 60_000
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000
const GIVE_UP_MS = 2 * 86_400_000

type Around = Pick<PortalDeps, 'clock' | 'keys'>

/** In the transaction of what it tells. */
export async function putMail(
  transaction: PortalTransaction,
  mail: Mail,
  { clock, keys }: Around,
): Promise<void> {
  const id = newId('mai', clock)
  const nowMs = clock.nowMs()
  await transaction
    .insertInto('mails')
    .values({
      ...{ id, recipient: mail.to, subject: mail.subject },
      // Links in it open accounts.
      body: keys.seal(placeOf(id), mail.text),
      ...{ created_ms: nowMs, next_ms: nowMs, tries: 0, sent_ms: null, last_failure: '' },
    })
    .execute()
}

export function startOutbox(
  deps: Around & Pick<PortalDeps, 'database' | 'logger'> & { readonly mailer: Mailer },
): { stop(): Promise<void> } {
  const { database, clock, logger } = deps
  const stopping = new AbortController()
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        while (!stopping.signal.aborted && (await sendNext(deps)));
      } catch (error) {
        logger.warn('mails wait', describeError(error))
      }
      await clock.sleep(LOOK_EVERY_MS, stopping.signal)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
      deps.mailer.close()
      await forgetOld(database, clock.nowMs())
    },
  }
}

/** False: none is due. */
async function sendNext({
  database,
  clock,
  keys,
  mailer,
  logger,
}: Parameters<typeof startOutbox>[0]): Promise<boolean> {
  const due = database.read.selectFrom('mails').select('id')
  const isDue = await due.where('next_ms', '<=', clock.nowMs()).limit(1).executeTakeFirst()
  if (isDue === undefined) return false
  const mail = await database.write((transaction) => claim(transaction, clock.nowMs()))
  if (mail === undefined) return false
  try {
    const text = keys.open(placeOf(mail.id), mail.body)
    await mailer.send({ to: mail.recipient, subject: mail.subject, text })
    await note(database, mail.id, { sent_ms: clock.nowMs(), next_ms: null, body: '' })
  } catch (error) {
    logger.warn('mail not sent', { mail: mail.id, ...describeError(error) })
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** mail.tries, LONGEST_PAUSE_MS)
    const nextMs = clock.nowMs() + pause
    const isFinal =
      (isFailure(error) && error.entry.retriable !== true) || nextMs > mail.created_ms + GIVE_UP_MS
    const last_failure = isFailure(error) ? error.code : 'internal'
    await note(database, mail.id, {
      last_failure,
      ...(isFinal ? { next_ms: null, body: '' } : { next_ms: nextMs }),
    })
  }
  return true
}

async function claim(transaction: PortalTransaction, nowMs: number): Promise<MailRow | undefined> {
  const row = await transaction
    .selectFrom('mails')
    .selectAll()
    .where('next_ms', '<=', nowMs)
    .orderBy('next_ms')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const claimed = { next_ms: nowMs + CLAIM_MS, tries: row.tries + 1 }
  await transaction.updateTable('mails').set(claimed).where('id', '=', row.id).execute()
  return row
}

async function note(database: PortalDatabase, id: string, set: Partial<MailRow>): Promise<void> {
  await database.write((t) => t.updateTable('mails').set(set).where('id', '=', id).execute())
}

async function forgetOld(database: PortalDatabase, nowMs: number): Promise<void> {
  const old = nowMs - 30 * 86_400_000
  await database.write((t) =>
    t.deleteFrom('mails').where('next_ms', 'is', null).where('created_ms', '<', old).execute(),
  )
}

function placeOf(id: string): string {
  return `mail ${id}`
}
