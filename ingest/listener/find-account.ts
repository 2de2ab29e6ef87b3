// Whose data is it (decision 2.3)? The answer never says whether a token is unknown or its account disabled.
import { describeError, type Logger } from '../../infra/logger.ts'
import type { Metastore } from '../../infra/metastore/port.ts'
import { isFailure } from '../../schemas/failures.ts'
import type { ListenerAccount } from '../../schemas/listener-account.ts'
import type { ListenerFailureCode } from './answer.ts'

/** The part of the metastore that the listener uses. */
export type Accounts = Pick<Metastore, 'accountByToken'> & {
  /** Brings memory up to the database as of this call. */
  refresh(): Promise<void>
}

export function findAccount(
  token: string,
  { metastore, logger }: { metastore: Accounts; logger: Logger },
): ListenerAccount | ListenerFailureCode {
  if (token === '') return 'listener.token_missing'
  try {
    return metastore.accountByToken(token) ?? 'listener.token_invalid'
  } catch (error) {
    // The token may be new: its sender must not be told to give up.
    if (isFailure(error) && error.entry.retriable) return 'listener.accounts_unavailable'
    logger.error('token check failed', describeError(error))
    return 'listener.internal'
  }
}
