// What the commands of masking need of ingest/mask; roles/query.ts hands it over.
import { Failure } from '../../../schemas/failures.ts'
import type { ListenerAccount } from '../../../schemas/listener-account.ts'

/** What the rules make of an event's text, and how many values each hides; `after` undefined: the
 *  event stays as it is. */
export type TryMask = (
  rules: readonly string[],
  event: string,
  account: ListenerAccount,
) => { readonly after: string | undefined; readonly counts: readonly number[] }

/** Where nobody handed it over. */
export const refuseMask: TryMask = () => {
  throw new Failure('request.invalid', { reason: 'this process knows no rules of masking' })
}
