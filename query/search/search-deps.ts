// What searches, pages and files need, and what the first two give.
import type { Database } from '../../infra/database/port.ts'
import type { FairQueue } from '../../infra/fair-queue.ts'
import type { Access } from '../../infra/metastore/access/port.ts'
import type { Metastore } from '../../infra/metastore/port.ts'
import type { Rights } from '../../infra/metastore/rights/port.ts'
import type { Content } from './print/xml.ts'
import type { TurnDeps } from './run-in-turn.ts'

export type SearchDeps = TurnDeps & {
  readonly metastore: Metastore & Rights & Access
  readonly database: Database
  readonly exports: FairQueue
  readonly publicUrl: string
}

export type SearchOutcome = {
  readonly numberOfResults: number
  readonly token: string
  readonly content: Content
}
