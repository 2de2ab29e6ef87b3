// What routes of results need, and how they tell the audit log.
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import type { TurnEdge } from '../../edge/open-turn.ts'
import type { SearchAudit } from '../../edge/search-audit.ts'
import type { ServeCall } from '../../edge/serve-call.ts'
import type { EdgeCall } from '../../edge/surface.ts'
import type { TurnDeps } from '../../search/run-in-turn.ts'
import type { OpenedDashboard } from '../open-dashboard.ts'

export type ResultDeps = TurnDeps &
  TurnEdge & {
    readonly metastore: OpenedMetastore
    readonly audit: SearchAudit
    readonly serve: ServeCall
    readonly limits: { readonly maxTimeoutMs: number }
  }

export function auditView(
  action: string,
  { app, dashboard }: OpenedDashboard,
  call: EdgeCall,
  audit: SearchAudit,
): void {
  const target = `${app.name}->${dashboard.name}`
  call.asked.audit = (outcome) =>
    audit.add({ action, target, details: 'outcome' }, call.signedIn, outcome)
}
