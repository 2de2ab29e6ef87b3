// Who searched what and when (decision 7.3). The audit log is the only place where the text of a query is kept.
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Audit, AuditEntry } from '../../infra/metastore/rights-port.ts'
import type { SignedIn } from '../sign-in/sign-in.ts'
import type { CancelCall, SearchCall } from './parameters.ts'

export type AuditedCall = {
  readonly signedIn: SignedIn
  readonly call: SearchCall | CancelCall
  /** `done` or the failure's code. */
  readonly result: string
  readonly durationMs: number
  readonly numberOfResults: number
}

/** Durable when it resolves. Searching goes on while the database is away: then the entry is lost, aloud. */
export async function auditSearch(
  audited: AuditedCall,
  { metastore, logger }: { metastore: Audit; logger: Logger },
): Promise<void> {
  const { signedIn, call, result } = audited
  try {
    await metastore.audit({
      userId: signedIn.user.id,
      userName: signedIn.user.name,
      address: signedIn.address,
      action: call.kind === 'search' ? 'search' : 'search.cancel',
      target: call.searchId ?? '',
      result,
      details: detailsOf(audited),
    })
  } catch (error) {
    logger.warn('search not audited', describeError(error))
  }
}

function detailsOf({ call, durationMs, numberOfResults }: AuditedCall): AuditEntry['details'] {
  if (call.kind === 'cancel') return {}
  return {
    query: call.query,
    startMs: call.window.startMs,
    endMs: call.window.endMs,
    durationMs: Math.round(durationMs),
    numberOfResults,
  }
}
