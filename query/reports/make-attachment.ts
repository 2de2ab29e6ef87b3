// What a report sends: its dashboard as PDF or its search as CSV, made within the rights of its
// owner, with its times counted from when it was due.
import type { Dashboard } from '../../infra/metastore/dashboards/read-apps.ts'
import type { Report } from '../../infra/metastore/reports/reports.ts'
import type { Rights } from '../../infra/metastore/rights/port.ts'
import { requireOwnSearch } from '../../infra/metastore/searches/saved-searches.ts'
import { NAME_SEPARATOR } from '../../schemas/dashboards/app.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import type { UserRecord } from '../../schemas/users.ts'
import type { DocumentMaker } from '../dashboards/document/document-maker.ts'
import { makeDocumentQuestion } from '../dashboards/document/make-document-question.ts'
import { openDashboard } from '../dashboards/open-dashboard.ts'
import { printCallTimeFrame } from '../dashboards/print-time-frame.ts'
import { runDashboard } from '../dashboards/run-dashboard.ts'
import type { WidgetDeps } from '../dashboards/run-widget.ts'
import { searchLink } from '../monitors/tell/search-link.ts'
import type { Turn } from '../search/run-in-turn.ts'
import { readSearchCsv } from './read-search-csv.ts'

export type AttachmentDeps = WidgetDeps & {
  readonly documents: DocumentMaker
  readonly publicUrl: string
  readonly maxAttachmentBytes: number
}

export type Attachment = {
  /** Of what, in words. */
  readonly title: string
  /** `last 24 hours`. */
  readonly timeFrame: string
  /** Shows the same in the console. */
  readonly link: string
  readonly fileName: string
  readonly contentType: string
  /** Undefined: it is larger than an attachment may be. */
  readonly bytes: Uint8Array | undefined
  /** Widgets that have no result, as `title: reason`. */
  readonly faults: readonly string[]
}

type Question = { readonly report: Report; readonly owner: UserRecord; readonly dueMs: number }

/** Fails with report.source, and as a search and a dashboard do. */
export async function makeAttachment(
  question: Question,
  turn: Turn & { readonly timeoutMs: number },
  deps: AttachmentDeps,
): Promise<Attachment> {
  try {
    return question.report.settings.dashboard === ''
      ? await makeCsv(question, turn, deps)
      : await makePdf(question, turn, deps)
  } catch (error) {
    if (!isFailure(error) || error.code !== 'object.not_found') throw error
    const { kind, name } = error.details
    const reason = `there is no ${kind} ${name}, or its owner ${question.owner.name} may not view it`
    throw new Failure('report.source', { reason }, error)
  }
}

async function makePdf(
  { report, owner, dueMs }: Question,
  turn: Turn & { readonly timeoutMs: number },
  deps: AttachmentDeps,
): Promise<Attachment> {
  const { metastore, documents, publicUrl, maxAttachmentBytes } = deps
  const [app = '', dashboard = ''] = report.settings.dashboard.split(NAME_SEPARATOR)
  const opened = await openDashboard(metastore, owner, { app, dashboard })
  requireConfirmed({ report, owner }, opened.dashboard, metastore)
  const result = await runDashboard({ ...opened, reader: owner, nowMs: dueMs }, turn, deps)
  // The store is away or busy: nobody wants a document that says so.
  if (result.widgets.some(({ error }) => error?.code === 'unavailable' || error?.code === 'busy'))
    throw new Failure('store.unavailable')
  const choice = { chosen: undefined, timeFrame: undefined }
  const question = makeDocumentQuestion(opened, choice, result, publicUrl)
  const bytes = await documents.make(question, turn.signal)
  const { widgets } = opened.dashboard.definition
  const place = [opened.app.name, opened.dashboard.name].map(encodeURIComponent).join('/')
  return {
    title: `dashboard ${opened.app.name} - ${opened.dashboard.name}`,
    timeFrame: question.timeFrame,
    link: `${publicUrl.replace(/\/$/, '')}/logeye/dashboards/${place}`,
    ...{ fileName: fileName(report.name, dueMs, 'pdf'), contentType: 'application/pdf' },
    bytes: bytes.byteLength > maxAttachmentBytes ? undefined : bytes,
    faults: result.widgets.flatMap(({ widgetId, error }) => {
      const title = widgets.find(({ id }) => id === widgetId)?.title ?? widgetId
      return error === null ? [] : [`${title}: ${error.message}`]
    }),
  }
}

/** What others have made of a dashboard since its report was saved is not sent with the rights of
 *  the report's owner until he says so. Fails with report.source. */
function requireConfirmed(
  { report, owner }: Pick<Question, 'report' | 'owner'>,
  { name, savedBy, changedMs }: Dashboard,
  { users }: Pick<Rights, 'users'>,
): void {
  const isTrusted = savedBy === owner.id || users.byId(savedBy)?.isAdministrator === true
  if (isTrusted || changedMs <= report.changedMs) return
  const reason = `somebody else has changed the dashboard ${name}: addReport -name '${report.name}' -update true confirms it`
  throw new Failure('report.source', { reason })
}

async function makeCsv(
  { report, owner, dueMs }: Question,
  turn: Turn,
  deps: AttachmentDeps,
): Promise<Attachment> {
  const { metastore, publicUrl, maxAttachmentBytes } = deps
  const viewer = { id: owner.id, isAdministrator: false }
  const { name, search } = await metastore.database.snapshot((transaction) =>
    requireOwnSearch(transaction, viewer, report.settings.search),
  )
  const asked = { search, reader: owner, nowMs: dueMs, maxBytes: maxAttachmentBytes }
  const { csv, window } = await readSearchCsv(asked, turn, deps)
  return {
    title: `search ${name}`,
    timeFrame: printCallTimeFrame(search.time),
    link: searchLink(publicUrl, search.query, window),
    ...{ fileName: fileName(report.name, dueMs, 'csv'), contentType: 'text/csv; charset=utf-8' },
    bytes: csv,
    faults: [],
  }
}

const MAX_NAME_CHARACTERS = 80

/** What every file system takes. */
function fileName(name: string, dueMs: number, ending: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').trim()
  const short = [...plain].slice(0, MAX_NAME_CHARACTERS).join('')
  return `${short} ${new Date(dueMs).toISOString().slice(0, 10)}.${ending}`
}
