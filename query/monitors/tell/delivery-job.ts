// The job that tells: a few messages at once, each attempt recorded before it is made
// (docs/decisions/0092).
import { describeError } from '../../../infra/logger.ts'
import { openMailer } from '../../../infra/mail/open-mailer.ts'
import {
  listBookAccounts,
  openSecrets,
} from '../../../infra/metastore/address-book/book-accounts.ts'
import {
  type AttemptEnd,
  type ClaimedMessage,
  claimMessage,
  noteAttempt,
} from '../../../infra/metastore/monitors/alert-messages.ts'
import type { Job, JobContext } from '../../../infra/scheduler/job.ts'
import type { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { ACCOUNT_SETTINGS } from '../../../schemas/address-book.ts'
import { isFailure } from '../../../schemas/failures.ts'
import { type AlertPicture, alertNotice } from '../../../schemas/monitors/notice.ts'
import { DocumentMaker } from '../../dashboards/document/document-maker.ts'
import { noticeOfNow } from './hidden-notice.ts'
import { type SendDeps, sendNotice } from './send-notice.ts'

type MailServer = { readonly url: string; readonly from: string }

const EVERY_MS = 1000
const LIMIT_MS = 120_000
const AT_ONCE = 4
/** With what a mail takes less than the claim of a message. */
const DRAW_MS = 40_000
/** A run ends here; what is left goes in the next. */
const MAX_MESSAGES = 500

export function makeAlertDelivery(given: {
  readonly keys: SecretKeys
  /** Undefined: mails are refused. */
  readonly mail: MailServer | undefined
}): Job {
  return {
    name: 'alert-delivery',
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
    run: async (context) => {
      const mailer = given.mail && openMailer(given.mail)
      const documents = new DocumentMaker(context)
      const draw = async (picture: AlertPicture) => {
        try {
          return await documents.make({ picture }, AbortSignal.timeout(DRAW_MS))
        } catch (error) {
          context.logger.warn('chart of an alert not drawn', describeError(error))
          return undefined
        }
      }
      let left = MAX_MESSAGES
      const work = async () => {
        while (left > 0 && !context.signal.aborted) {
          left -= 1
          const message = await claimMessage(context, context.clock.nowMs())
          if (message === undefined) return
          const deps = { ...given, mailer, draw, clock: context.clock }
          const end = await deliver(message, context, deps)
          await noteAttempt(context, message, end, context.clock.nowMs())
        }
      }
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, work))
      } finally {
        mailer?.close()
        await documents.stop()
      }
    },
  }
}

/** What the target is now; one that is no more is told nothing. */
async function deliver(
  message: ClaimedMessage,
  context: JobContext,
  { keys, ...deps }: SendDeps & { readonly keys: SecretKeys },
): Promise<AttemptEnd> {
  const accounts = await listBookAccounts(context.database.read)
  const account = accounts.find(({ id }) => id === Number(message.target_id))
  if (account?.kind !== 'alertTarget')
    return { status: null, failure: 'the target was removed', isFinal: true }
  if (!account.isEnabled) return { status: null, failure: 'the target is disabled', isFinal: true }
  try {
    const target = {
      settings: ACCOUNT_SETTINGS.alertTarget.parse(account.settings),
      secrets: openSecrets(account, keys),
    }
    const made = alertNotice.parse(JSON.parse(message.notice))
    const of = { id: Number(message.id), alertId: Number(message.alert_id), notice: made }
    const notice = await noticeOfNow(of, context)
    return await sendNotice(target, { id: `alert-message-${message.id}`, notice }, deps)
  } catch (error) {
    if (!isFailure(error)) throw error
    return { status: null, failure: error.message, isFinal: false }
  }
}
