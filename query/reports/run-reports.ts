// The job that sends reports (docs/decisions/0125). A run is recorded with its deliveries before
// anything is read, and each try of a delivery before its mail goes out. So two schedulers, a kill
// or a restart send each report once.
import { FairQueue } from '../../infra/fair-queue.ts'
import { describeError } from '../../infra/logger.ts'
import { type Mailer, openMailer } from '../../infra/mail/open-mailer.ts'
import { listBookAccounts } from '../../infra/metastore/address-book/book-accounts.ts'
import type { AuditEntry } from '../../infra/metastore/audit/port.ts'
import {
  beginReportRun,
  claimDelivery,
  type DeliveryEnd,
  failReportRun,
  listDueReportRuns,
  noteDelivery,
  noteReportBytes,
  noteReportWaiting,
  type ReportDelivery,
  type ReportRun,
} from '../../infra/metastore/reports/report-runs.ts'
import { listReports, type Report } from '../../infra/metastore/reports/reports.ts'
import { readHiddenEvents } from '../../infra/metastore/retention/hidden-events.ts'
import { readSight, type Sight, seesAsMuch } from '../../infra/metastore/rights/may-see.ts'
import type { Job, JobContext } from '../../infra/scheduler/job.ts'
import { hideDeleted } from '../../infra/store/hide-deleted.ts'
import { ACCOUNT_SETTINGS } from '../../schemas/address-book.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { UserRecord } from '../../schemas/users.ts'
import { DocumentMaker } from '../dashboards/document/document-maker.ts'
import { readStyle } from '../edge/read-style.ts'
import { openSearchSignal } from '../edge/search-signal.ts'
import { readDuePlan } from '../monitors/due-plan.ts'
import { findNextRun } from '../monitors/evaluate/next-run.ts'
import { requireOwnerOf } from '../monitors/require-owner-of.ts'
import { formatTime } from '../search/print/cell-text.ts'
import { type Attachment, makeAttachment } from './make-attachment.ts'
import { printReportMail } from './print-report-mail.ts'

type ReportDeps = {
  readonly maxQueryMemoryBytes: number
  readonly keptFreeBytes: number
  /** Of the product, in links. */
  readonly publicUrl: string
  /** Undefined: no report is sent. */
  readonly mail: { readonly url: string; readonly from: string } | undefined
  readonly maxAttachmentBytes: number
}

const EVERY_MS = 5000
const LIMIT_MS = 600_000
/** To make one. */
const MAKE_MS = 120_000
/** Until what could not be made is tried again, and for how long. */
const WAIT_MS = 60_000
const GIVE_UP_MS = 86_400_000

export function makeReportRuns(deps: ReportDeps): Job {
  return {
    name: 'report-runs',
    everyMs: EVERY_MS,
    limitMs: LIMIT_MS,
    run: async (context) => {
      await beginDue(context)
      const due = await listDueReportRuns(context.database, context.clock.nowMs())
      if (due.length === 0) return
      const documents = new DocumentMaker(context)
      try {
        for (const run of due) {
          if (context.signal.aborted) return
          await sendRun(run, context, { ...deps, documents })
        }
      } finally {
        await documents.stop()
      }
    },
  }
}

async function beginDue(context: JobContext): Promise<void> {
  const { database, metastore, held, clock } = context
  for (const report of await listReports(database.read)) {
    if (!report.isEnabled) continue
    const plan = readDuePlan({ ...report.settings, businessHours: '' }, metastore)
    const nowMs = clock.nowMs()
    const next = findNextRun(plan, { nowMs, delayMs: 0, lastDueMs: report.lastDueMs })
    if (next === undefined) continue
    const { dueMs, skipped } = next
    await beginReportRun({ database, held }, report, { dueMs, skipped, nowMs })
  }
}

type Sending = ReportDeps & { readonly documents: DocumentMaker }
type Made = {
  readonly report: Report
  readonly owner: UserRecord
  /** What the owner could see as it was made. */
  readonly sight: Sight
  readonly attachment: Attachment
}

async function sendRun(run: ReportRun, context: JobContext, deps: Sending): Promise<void> {
  const { logger, signal } = context
  try {
    const made = await makeReport(run, context, deps)
    if (made === undefined) return
    await noteReportBytes(context, run, made.attachment.bytes?.byteLength ?? null)
    await sendMails(run, made, context, deps)
  } catch (error) {
    if (signal.aborted) return
    if (!isFailure(error) || error.code === 'database.lease_lost') throw error
    logger.warn('report not sent', { report: run.reportId, ...describeError(error) })
    const nowMs = context.clock.nowMs()
    const isLater = error.entry.retriable === true && nowMs - run.dueMs < GIVE_UP_MS
    if (isLater) await noteReportWaiting(context, run, error.message, nowMs + WAIT_MS)
    else await failReportRun(context, run, error.message, nowMs)
  }
}

/** Undefined: the report was removed meanwhile. Fails with report.owner, report.source, and as
 *  searches do. */
async function makeReport(
  run: ReportRun,
  context: JobContext,
  deps: Sending,
): Promise<Made | undefined> {
  const { database, metastore, clock, signal, logger } = context
  const report = (await listReports(database.read)).find(({ id }) => id === run.reportId)
  if (report === undefined) return undefined
  const owner = await requireOwnerOf('report', report, metastore)
  const store = hideDeleted(context.store, () => readHiddenEvents(database.read))
  const queue = new FairQueue({ maxRunning: 2, maxWaiting: 16, maxRunningOfOne: 2 })
  const deadlineMs = clock.elapsedMs() + MAKE_MS
  const times = { deadlineMs, timeoutMs: MAKE_MS }
  const ended = openSearchSignal({ clock, ...times, cancelOn: [signal] })
  try {
    const turn = { userId: owner.id, signal: ended.signal, ...times }
    const question = { report, owner, dueMs: run.dueMs }
    const sight = await readSight(metastore, owner)
    const searching = { store, metastore, clock, queue, ...deps }
    return { report, owner, sight, attachment: await makeAttachment(question, turn, searching) }
  } catch (error) {
    if (isFailure(error) || signal.aborted) throw error
    // A bug in one keeps none of the others from being sent.
    logger.error('report not made', { report: run.reportId, ...describeError(error) })
    throw new Failure('request.internal', {}, error)
  } finally {
    ended.close()
  }
}

async function sendMails(
  run: ReportRun,
  made: Made,
  context: JobContext,
  deps: Sending,
): Promise<void> {
  const mailer = deps.mail && openMailer(deps.mail)
  try {
    while (!context.signal.aborted) {
      // He may have lost it while it was made, or while the mail before went out.
      const owner = await requireOwnerOf('report', made.report, context.metastore)
      if (!seesAsMuch(await readSight(context.metastore, owner), made.sight))
        throw new Failure('report.owner', { reason: `its owner ${owner.name} may see less now` })
      const delivery = await claimDelivery(context, run, context.clock.nowMs())
      if (delivery === undefined) return
      const end = await sendMail(delivery, made, context, { ...deps, mailer })
      const note = { nowMs: context.clock.nowMs(), entry: sentEntry(delivery, made) }
      await noteDelivery(context, delivery, { ...end, ...note })
    }
  } finally {
    mailer?.close()
  }
}

async function sendMail(
  delivery: ReportDelivery,
  { report, owner, attachment }: Made,
  { database, metastore }: JobContext,
  deps: Sending & { readonly mailer: Mailer | undefined },
): Promise<DeliveryEnd> {
  const { mailer, publicUrl, maxAttachmentBytes } = deps
  const accounts = await listBookAccounts(database.read)
  const account = accounts.find(({ id }) => id === delivery.targetId)
  if (account?.kind !== 'alertTarget') return refused('the target was removed')
  if (!account.isEnabled) return refused('the target is disabled')
  const { type, to } = ACCOUNT_SETTINGS.alertTarget.parse(account.settings)
  if (type !== 'mail' || to.length === 0) return refused('the target has no address')
  if (mailer === undefined) return refused('the product has no mail server: set LOGEYE_MAIL_URL')
  const style = readStyle(metastore, report.settings.timeZone || undefined)
  const due = `${formatTime(delivery.dueMs - (delivery.dueMs % 1000), style)} ${style.zone.name}`
  const about = { due, owner: owner.name || 'everybody', maxBytes: maxAttachmentBytes }
  const { fileName: filename, contentType, bytes } = attachment
  try {
    await mailer.send({
      ...printReportMail(report, attachment, about),
      to,
      messageId: messageIdOf(delivery, publicUrl),
      attachments:
        bytes === undefined ? [] : [{ filename, contentType, content: Buffer.from(bytes) }],
    })
    return { failure: null, isFinal: true }
  } catch (error) {
    if (!isFailure(error)) throw error
    return { failure: error.message, isFinal: error.code === 'mail.refused' }
  }
}

/** The same at each try: mail servers and programs know a repeat by it. */
function messageIdOf({ reportId, dueMs, targetId }: ReportDelivery, publicUrl: string): string {
  return `<report-${reportId}-${dueMs}-${targetId}@${new URL(publicUrl).hostname}>`
}

/** Of what was sent, in the name of the owner. */
function sentEntry({ targetId }: ReportDelivery, { report, owner, attachment }: Made): AuditEntry {
  return {
    ...{ userId: owner.id, userName: owner.name, address: '', action: 'report.send' },
    ...{ target: report.name, result: 'done' },
    details: { of: attachment.title, to: targetId, bytes: attachment.bytes?.byteLength ?? 0 },
  }
}

function refused(failure: string): DeliveryEnd {
  return { failure, isFinal: true }
}
