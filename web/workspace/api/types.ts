// Answers of the API, as its own schemas say.
import type { apiKey } from '../../../schemas/portal/api-keys.ts'
import type { movement } from '../../../schemas/portal/license/credits.ts'
import type { creditBalance } from '../../../schemas/portal/license/status.ts'
import type { auditEntry, begunFactor, ownSession } from '../../../schemas/portal/people.ts'
import type { attempt, message, webhook } from '../../../schemas/portal/webhooks.ts'

type Told<Schema extends { readonly _output: unknown }> = Schema['_output']

export type ApiKey = Told<typeof apiKey>
export type Movement = Told<typeof movement>
export type CreditBalance = Told<typeof creditBalance>
export type BegunFactor = Told<typeof begunFactor>
export type OwnSession = Told<typeof ownSession>
export type AuditEntry = Told<typeof auditEntry>
export type Attempt = Told<typeof attempt>
export type Message = Told<typeof message>
export type Webhook = Told<typeof webhook>

/** Of a list, newest first. */
export type Rows<Row> = {
  readonly data: readonly Row[]
  readonly nextCursor: string | null
}
