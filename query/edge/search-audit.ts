// Who searched what and when (decision 7.3). The audit log is the only place where the text of a
// query is kept. Entries are gathered for a moment and written together, after the answers: a
// commit holds the event loop, and with it every sender, for as long as the disk takes to flush. A
// crash loses at most that moment.

import type { SignedIn } from '../../infra/access/signed-in.ts'
import type { Clock } from '../../infra/clock.ts'
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Audit, AuditEntry } from '../../infra/metastore/audit/port.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { Outcome } from './surface.ts'

export type AuditedCall = {
  /** Such as `search.page`. */
  readonly action: string
  /** A name of the caller's; tokens are secrets. */
  readonly target: string
  readonly details: 'none' | 'outcome' | { readonly query: string; readonly window: TimeWindow }
}

export type SearchAudit = {
  add(call: AuditedCall, signedIn: SignedIn, outcome: Outcome): void
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
    add: (call, signedIn, outcome) => {
      gathered.push(toEntry(call, signedIn, outcome))
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

function toEntry(call: AuditedCall, { user, address }: SignedIn, outcome: Outcome): AuditEntry {
  const { action, target } = call
  const { result } = outcome
  const details = detailsOf(call, outcome)
  return { userId: user.id, userName: user.name, address, action, target, result, details }
}

function detailsOf({ details }: AuditedCall, given: Outcome): AuditEntry['details'] {
  if (details === 'none') return {}
  const { numberOfResults } = given
  const outcome = { durationMs: Math.round(given.durationMs), numberOfResults }
  if (details === 'outcome') return outcome
  const { startMs, endMs } = details.window
  return { query: details.query, startMs, endMs, ...outcome }
}
