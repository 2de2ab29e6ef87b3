// One attempt to tell a target of an alert: what came of it, never an exception of the other side.
// Targets are accounts that operators make, so inner networks are reached (docs/decisions/0047);
// what answers is never passed on.

import { Webhook } from 'standardwebhooks'
import type { Clock } from '../../../infra/clock.ts'
import type { Mailer } from '../../../infra/mail/open-mailer.ts'
import type { Secrets } from '../../../infra/metastore/address-book/book-accounts.ts'
import type { AttemptEnd } from '../../../infra/metastore/monitors/alert-messages.ts'
import { describeConnection } from '../../../infra/outbound/describe-connection.ts'
import { sendRequest } from '../../../infra/outbound/request.ts'
import type { BookAccountSettings } from '../../../schemas/address-book.ts'
import { isFailure } from '../../../schemas/failures.ts'
import type { AlertNotice, AlertPicture } from '../../../schemas/monitors/notice.ts'
import { trimEnd } from '../../../schemas/names/trim-end.ts'
import {
  alertmanagerBody,
  mailHtml,
  mailText,
  PICTURE_ID,
  slackBody,
  webhookBody,
} from './bodies.ts'

export type AlertTarget = {
  readonly settings: BookAccountSettings<'alertTarget'>
  readonly secrets: Secrets
}

export type SendDeps = {
  /** Undefined: the product has no mail server. */
  readonly mailer: Mailer | undefined
  readonly clock: Pick<Clock, 'nowMs'>
  /** PNG of a chart; undefined: it could not be drawn, and the mail has none. */
  readonly draw?: (picture: AlertPicture) => Promise<Uint8Array | undefined>
}

/** Of one attempt. */
const LIMIT_MS = 20_000
const MAX_ANSWER_BYTES = 1024

/** `id`: the same at each attempt, so that a receiver knows a repeat. */
export async function sendNotice(
  { settings, secrets }: AlertTarget,
  { id, notice }: { readonly id: string; readonly notice: AlertNotice },
  deps: SendDeps,
): Promise<AttemptEnd> {
  if (settings.type === 'mail') return await sendMails(settings.to, notice, deps)
  const { targetURL = '', signingSecret = '' } = secrets
  if (targetURL === '') return refused('the target has no targetURL')
  if (settings.type === 'slack') return await post(targetURL, slackBody(notice), {})
  if (settings.type === 'alertmanager')
    return await post(alertsOf(targetURL), alertmanagerBody(notice), {})
  if (signingSecret === '') return refused('the target has no signingSecret')
  const body = webhookBody(notice)
  const at = new Date(deps.clock.nowMs())
  return await post(targetURL, body, {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(signingSecret).sign(id, at, body),
  })
}

function alertsOf(url: string): string {
  return `${trimEnd(url, '/')}/api/v2/alerts`
}

async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<AttemptEnd> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    const { status } = await sendRequest({
      url: new URL(url),
      headers: {
        ...{ 'content-type': 'application/json', 'user-agent': 'Logeye' },
        ...{ 'content-length': String(Buffer.byteLength(body)), ...headers },
      },
      ...{ certificate: '', body, signal, maxBytes: MAX_ANSWER_BYTES, isCut: true },
    })
    if (status >= 200 && status < 300) return { status, failure: null, isFinal: true }
    return { status, failure: `it answered ${status}`, isFinal: status === 410 }
  } catch (error) {
    return { status: null, failure: describeConnection(error, signal), isFinal: false }
  }
}

async function sendMails(
  to: readonly string[],
  notice: AlertNotice,
  { mailer, draw }: SendDeps,
): Promise<AttemptEnd> {
  if (mailer === undefined) return refused('the product has no mail server: set LOGEYE_MAIL_URL')
  if (to.length === 0) return refused('the target has no address')
  try {
    // One mail to all: so one attempt is taken or not.
    const drawn = await drawPicture(notice, draw)
    await mailer.send({ to, subject: notice.subject, text: mailText(notice), ...drawn })
    return { status: null, failure: null, isFinal: true }
  } catch (error) {
    if (!isFailure(error)) throw error
    const { code } = error.details
    const status = typeof code === 'number' ? code : null
    return { status, failure: error.message, isFinal: error.code === 'mail.refused' }
  }
}

/** Nothing where there is none: the text says all. */
async function drawPicture(notice: AlertNotice, draw: SendDeps['draw']) {
  const png = notice.picture && (await draw?.(notice.picture))
  if (png === undefined) return {}
  const content = Buffer.from(png)
  const attached = { filename: 'chart.png', contentType: 'image/png', content, cid: PICTURE_ID }
  return { html: mailHtml(notice), attachments: [attached] }
}

function refused(failure: string): AttemptEnd {
  return { status: null, failure, isFinal: true }
}
