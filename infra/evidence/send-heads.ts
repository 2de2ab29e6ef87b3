// Sends the end of the chain away on a schedule: to alert targets (mail, webhook) and into a folder
// or bucket. What failed is tried again at the next run; a target that is away holds no other up.
import { Readable } from 'node:stream'
import { Webhook } from 'standardwebhooks'
import { ACCOUNT_SETTINGS } from '../../schemas/address-book.ts'
import { isFailure } from '../../schemas/failures.ts'
import { requireFence } from '../database/lease.ts'
import { type Mailer, openMailer } from '../mail/open-mailer.ts'
import { listBookAccounts, openSecrets } from '../metastore/address-book/book-accounts.ts'
import type { ObjectStore } from '../objects/port.ts'
import { describeConnection } from '../outbound/describe-connection.ts'
import { sendRequest } from '../outbound/request.ts'
import type { JobContext } from '../scheduler/job.ts'
import type { SecretKeys } from '../secrets/secret-keys.ts'
import type { EvidenceKey } from './evidence-key.ts'
import { printHead } from './head-document.ts'

const HOUR_MS = 3_600_000
const LIMIT_MS = 20_000
const MAX_ANSWER_BYTES = 1024
/** Name of the folder or bucket among the targets. */
const OBJECTS = 'objects'

export type SendHeadsDeps = {
  readonly keys: SecretKeys
  readonly serverKey: string
  readonly mail: { readonly url: string; readonly from: string } | undefined
  /** Undefined: none is configured. */
  readonly objects: ObjectStore | undefined
}

type Head = { readonly number: number; readonly text: string }

export async function sendHeads(
  context: JobContext,
  key: EvidenceKey,
  deps: SendHeadsDeps,
): Promise<void> {
  const { database, metastore, clock, logger } = context
  const names = metastore.setting('system.evidenceTargets')
  const targets = [...names.map((name) => `target ${name}`), ...(deps.objects ? [OBJECTS] : [])]
  if (targets.length === 0) return
  const signed = await database.read
    .selectFrom('evidence')
    .select(['number', 'hash'])
    .where('signature', 'is not', null)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (signed === undefined) return
  const at = new Date(clock.nowMs()).toISOString()
  const number = Number(signed.number)
  const content = { serverKey: deps.serverKey, number, hash: signed.hash, at }
  const head = { number, text: printHead(content, key.privateKey) }
  const before = await database.read.selectFrom('evidence_heads').selectAll().execute()
  const everyMs = metastore.setting('system.evidenceHours') * HOUR_MS
  for (const target of targets) {
    const last = before.find((row) => row.target === target)
    const isTime =
      last === undefined || last.failure !== '' || clock.nowMs() - Number(last.at_ms) >= everyMs
    if (!isTime || Number(last?.number ?? 0) === number) continue
    const failure = await send(context, deps, { target, head })
    if (failure !== '' && failure !== last?.failure)
      logger.warn('the end of the evidence was not sent away', { target, failure })
    await keep(context, {
      target,
      number: failure === '' ? number : Number(last?.number ?? 0),
      failure,
    })
  }
}

/** '' when it was taken; else why not. */
async function send(
  context: JobContext,
  deps: SendHeadsDeps,
  { target, head }: { readonly target: string; readonly head: Head },
): Promise<string> {
  try {
    if (target !== OBJECTS)
      return await tellTarget(context, deps, target.slice('target '.length), head)
    const name = `head-${String(head.number).padStart(12, '0')}.txt`
    await deps.objects?.put(name, Readable.from([Buffer.from(head.text)]))
    return ''
  } catch (error) {
    if (isFailure(error)) return error.message
    throw error
  }
}

async function tellTarget(
  { database, clock }: JobContext,
  { keys, mail }: SendHeadsDeps,
  name: string,
  head: Head,
): Promise<string> {
  const accounts = await listBookAccounts(database.read)
  const account = accounts.find((one) => one.kind === 'alertTarget' && one.name === name)
  if (account === undefined) return 'there is no such alert target'
  if (!account.isEnabled) return 'the target is disabled'
  const settings = ACCOUNT_SETTINGS.alertTarget.parse(account.settings)
  if (settings.type === 'mail') {
    if (mail === undefined) return 'the product has no mail server: set LOGEYE_MAIL_URL'
    return await mailHead(openMailer(mail), settings.to, head)
  }
  if (settings.type !== 'webhook') return `a target of the type ${settings.type} takes no evidence`
  const { targetURL = '', signingSecret = '' } = openSecrets(account, keys)
  const body = JSON.stringify({ event: 'evidence', number: head.number, head: head.text })
  const at = new Date(clock.nowMs())
  const id = `evidence-${head.number}`
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    const { status } = await sendRequest({
      url: new URL(targetURL),
      headers: {
        ...{ 'content-type': 'application/json', 'user-agent': 'Logeye' },
        'content-length': String(Buffer.byteLength(body)),
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(signingSecret).sign(id, at, body),
      },
      ...{ certificate: '', body, signal, maxBytes: MAX_ANSWER_BYTES, isCut: true },
    })
    return status >= 200 && status < 300 ? '' : `it answered ${status}`
  } catch (error) {
    return describeConnection(error, signal)
  }
}

async function mailHead(mailer: Mailer, to: readonly string[], head: Head): Promise<string> {
  try {
    const subject = `Logeye evidence: entry ${head.number}`
    await mailer.send({ to, subject, text: head.text })
    return ''
  } finally {
    mailer.close()
  }
}

async function keep(
  { database, clock, held }: JobContext,
  row: { readonly target: string; readonly number: number; readonly failure: string },
): Promise<void> {
  const values = { ...row, at_ms: clock.nowMs() }
  await database.write(async (transaction) => {
    await requireFence(transaction, held)
    await transaction
      .insertInto('evidence_heads')
      .values(values)
      .onConflict((conflict) => conflict.column('target').doUpdateSet(values))
      .execute()
  })
}
