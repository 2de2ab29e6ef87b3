// Who searched what and when (decision 7.3). The audit log is the only place where the text of a
// query is kept. Entries are gathered for a moment and written together, after the answers: a
// commit holds the event loop, and with it every sender, for as long as the disk takes to flush. A
// crash loses at most that moment.

import type { SignedIn } from '../../infra/access/sign-in.ts'
import type { Clock } from '../../infra/clock.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Audit, AuditEntry } from '../../infra/metastore/audit/port.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { Call } from './parameters.ts'

/** A file of a result that is read. */
type FileCall = { readonly kind: 'file' }

/** A call of the JSON interface. */
export type ReadCall = {
  readonly kind: 'read'
  /** Of its endpoint. */
  readonly name: string
  readonly query: string
  readonly window: TimeWindow
  readonly searchId: string | undefined
}

export type AuditedCall = {
  readonly signedIn: SignedIn
  readonly call: Call | FileCall | ReadCall
  /** `done` or the failure's code. */
  readonly result: string
  readonly durationMs: number
  readonly numberOfResults: number
}

export type SearchAudit = {
  add(audited: AuditedCall): void
  /** Resolves when all entries so far are durable, or were given up aloud. */
  flush(): Promise<void>
}

const GATHER_MS = 100
const MAX_GATHERED = 1000

export function openSearchAudit(deps: {
  metastore: Audit
  logger: Logger
  clock: Clock
}): SearchAudit {
  const { metastore, logger, clock } = deps
  let gathered: AuditEntry[] = []
  let isTimed = false
  const writing = new Set<Promise<void>>()

  async function write(entries: readonly AuditEntry[]): Promise<void> {
    // Asked for in one turn, they share a transaction.
    const results = await Promise.allSettled(entries.map((entry) => metastore.audit(entry)))
    const lost = results.filter((result) => result.status === 'rejected')
    if (lost.length > 0)
      logger.error('searches not audited', {
        count: lost.length,
        ...describeError(lost[0]?.reason),
      })
  }

  function writeGathered(): void {
    if (gathered.length === 0) return
    const written = write(gathered)
    gathered = []
    writing.add(written)
    void written.finally(() => writing.delete(written))
  }

  return {
    add: (audited) => {
      gathered.push(toEntry(audited))
      if (gathered.length >= MAX_GATHERED) writeGathered()
      if (isTimed) return
      isTimed = true
      void clock.sleep(GATHER_MS).then(() => {
        isTimed = false
        writeGathered()
      })
    },
    flush: async () => {
      writeGathered()
      await Promise.all(writing)
    },
  }
}

const ACTIONS = {
  search: 'search',
  page: 'search.page',
  file: 'search.file',
  cancel: 'search.cancel',
} as const

function toEntry(audited: AuditedCall): AuditEntry {
  const { signedIn, call, result } = audited
  return {
    userId: signedIn.user.id,
    userName: signedIn.user.name,
    address: signedIn.address,
    action: call.kind === 'read' ? `search.${call.name}` : ACTIONS[call.kind],
    target: targetOf(call),
    result,
    details: detailsOf(audited),
  }
}

/** Tokens are secrets. */
function targetOf(call: AuditedCall['call']): string {
  switch (call.kind) {
    case 'search':
    case 'page':
    case 'read':
      return call.searchId ?? ''
    case 'cancel':
      return 'searchId' in call.by ? call.by.searchId : ''
    case 'file':
      return ''
  }
}

function detailsOf({ call, durationMs, numberOfResults }: AuditedCall): AuditEntry['details'] {
  if (call.kind === 'cancel') return {}
  const outcome = { durationMs: Math.round(durationMs), numberOfResults }
  if (call.kind !== 'search' && call.kind !== 'read') return outcome
  const { startMs, endMs } = call.window
  return { query: call.query, startMs, endMs, ...outcome }
}
