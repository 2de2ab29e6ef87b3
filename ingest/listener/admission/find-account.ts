// Whose data is it (decision 2.3)? The answer never says whether a token is unknown or its account
// disabled.
import { describeError, type Logger } from '../../../infra/logger.ts'
import type { Metastore } from '../../../infra/metastore/port.ts'
import { isFailure } from '../../../schemas/failures.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import type { ListenerFailureCode } from './outcome.ts'

/** The part of the metastore that the listener uses. */
export type Accounts = Pick<Metastore, 'accountByToken'> & {
  /** Brings memory up to the database as of this call. */
  refresh(): Promise<void>
}

export function findAccount(
  token: string,
  deps: { metastore: Accounts; logger: Logger; nodeName?: string },
): ListenerAccount | ListenerFailureCode {
  const { metastore, logger, nodeName } = deps
  if (token === '') return 'listener.token_missing'
  try {
    const account = metastore.accountByToken(token)
    // Bound to another node: here it is as if it were not (decision 8.5).
    const bound = account?.listeningNode ?? nodeName
    const isElsewhere = nodeName !== undefined && bound !== nodeName
    return account === undefined || isElsewhere ? 'listener.token_invalid' : account
  } catch (error) {
    // The token may be new: its sender must not be told to give up.
    if (isFailure(error) && error.entry.retriable) return 'listener.accounts_unavailable'
    logger.error('token check failed', describeError(error))
    return 'listener.internal'
  }
}
