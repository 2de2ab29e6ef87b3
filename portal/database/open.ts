// The portal's own database: SQLite in a folder of its own, or PostgreSQL.
import type { Clock } from '../../infra/clock.ts'
import { openDatabaseOf } from '../../infra/database/open.ts'
import type { Database } from '../../infra/database/port.ts'
import type { Logger } from '../../infra/logger.ts'
import { accountTables } from './migrations/001-accounts.ts'
import { deploymentTables } from './migrations/002-deployments.ts'
import { creditTables } from './migrations/003-credits.ts'
import { pricingTables } from './migrations/004-pricing.ts'
import { peopleTables } from './migrations/006-people.ts'
import { offerTables } from './migrations/007-offers.ts'
import { apiKeyColumns } from './migrations/008-api-keys.ts'
import { webhookTables } from './migrations/009-webhooks.ts'
import { attachmentTables } from './migrations/010-attachments.ts'
import { sessionAddressColumn } from './migrations/011-session-address.ts'
import { offerApprovalColumn } from './migrations/012-offer-approval.ts'
import { makerColumns } from './migrations/013-makers.ts'
import { offerEffects } from './migrations/014-offers-and-licenses.ts'
import type { PortalTables } from './tables.ts'

export type PortalDatabase = Database<PortalTables>
export type PortalReader = PortalDatabase['read']
/** What one write works on. */
export type PortalTransaction = Parameters<Parameters<PortalDatabase['write']>[0]>[0]

/** In the order of their numbers; which are missing is looked up by number. */
const MIGRATIONS = [
  accountTables,
  deploymentTables,
  creditTables,
  pricingTables,
  peopleTables,
  offerTables,
  apiKeyColumns,
  webhookTables,
  attachmentTables,
  sessionAddressColumn,
  offerApprovalColumn,
  makerColumns,
  offerEffects,
]

/** Fails as openDatabase does. */
export async function openPortalDatabase(options: {
  readonly url?: string | undefined
  /** Folder of the portal. */
  readonly folder: string
  readonly clock: Clock
  readonly logger?: Logger
}): Promise<PortalDatabase> {
  const { folder, ...others } = options
  return await openDatabaseOf<PortalTables>({ ...others, dataDir: folder }, MIGRATIONS)
}
