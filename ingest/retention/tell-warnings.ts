// Mails to the warning addresses of collection policies: once a crossing, and again after a minute
// where the mail server did not take it (docs/decisions/0110).
import { openMailer } from '../../infra/mail/open-mailer.ts'
import type { KeptPolicy } from '../../infra/metastore/policies/collection-policies.ts'
import {
  changeWarnings,
  noteWarning,
  readWarnings,
  WARNING_KINDS,
  type WarningKind,
} from '../../infra/metastore/retention/storage-warnings.ts'
import type { JobContext } from '../../infra/scheduler/job.ts'
import { isFailure } from '../../schemas/failures.ts'
import { findWarnings, type StorageFacts } from './find-warnings.ts'

const RETRY_MS = 60_000
/** A run. */
const MAX_MAILS = 20

export type WarningDeps = {
  /** Undefined: nothing can be sent. */
  readonly mail: { readonly url: string; readonly from: string } | undefined
}

export async function tellWarnings(
  context: JobContext,
  { mail }: WarningDeps,
  told: readonly { readonly policy: KeptPolicy; readonly facts: StorageFacts }[],
): Promise<void> {
  const { database, clock, logger, held, signal } = context
  const before = await readWarnings(database.read)
  const begun: { policyId: number; kind: WarningKind }[] = []
  const over: { policyId: number; kind: WarningKind }[] = []
  for (const { policy, facts } of told) {
    const own = before.filter(({ policyId }) => policyId === policy.id).map(({ kind }) => kind)
    const now =
      policy.policy.warningAddress === ''
        ? new Set<WarningKind>()
        : findWarnings(facts, new Set(own))
    for (const kind of WARNING_KINDS) {
      const named = { policyId: policy.id, kind }
      if (now.has(kind) && !own.includes(kind)) begun.push(named)
      if (!now.has(kind) && own.includes(kind)) over.push(named)
    }
  }
  await changeWarnings(database, { begun, over }, { held, nowMs: clock.nowMs() })
  if (mail === undefined) return
  const due = (await readWarnings(database.read)).filter(
    ({ toldMs, triedMs = -RETRY_MS }) =>
      toldMs === undefined && triedMs + RETRY_MS <= clock.nowMs(),
  )
  if (due.length === 0) return
  const mailer = openMailer(mail)
  try {
    for (const warning of due.slice(0, MAX_MAILS)) {
      if (signal.aborted) return
      const { policy, facts } = told.find((one) => one.policy.id === warning.policyId) ?? {}
      if (policy === undefined || facts === undefined) continue
      await noteWarning(database, warning, { tried_ms: clock.nowMs() }, held)
      try {
        await mailer.send({
          to: policy.policy.warningAddress,
          ...mailOf(warning.kind, policy, facts),
        })
        await noteWarning(database, warning, { told_ms: clock.nowMs() }, held)
      } catch (error) {
        if (!isFailure(error)) throw error
        logger.warn('a warning of storage was not sent', { policy: policy.id, code: error.code })
      }
    }
  } finally {
    mailer.close()
  }
}

function mailOf(
  kind: WarningKind,
  { name, policy }: KeptPolicy,
  facts: StorageFacts,
): { readonly subject: string; readonly text: string } {
  const size = `${facts.bytes} of ${facts.maxBytes ?? 0} bytes`
  const isArchived = policy.archiveDirectory !== '' || policy.archiveAccount !== ''
  const texts: Readonly<Record<WarningKind, readonly [what: string, text: string]>> = {
    'nearly-full': [
      'is nearly full',
      `Its events take ${size}. Above that the oldest days leave the store${isArchived ? ', after they are archived' : ' for good'}.`,
    ],
    full: [
      'is full',
      `Its events take ${size}, and no day may go: today and yesterday stay, and so does what is held or not archived.`,
    ],
    archive: [
      'cannot be archived',
      'A day that is to leave the store could not be archived, so it stays. listArchives shows why.',
    ],
    disk: [
      'has little disk left',
      `${Math.floor((facts.freeShare ?? 0) * 100)} % of the disk of the data directory, or of storageDirectory, are free.`,
    ],
  }
  const [what, text] = texts[kind]
  const subject = `Logeye: the storage of the collection policy ${name} ${what}`
  const end = 'This is told once, and again when it was over in between.'
  return { subject, text: `${subject.slice('Logeye: '.length)}.\n\n${text}\n\n${end}\n` }
}
