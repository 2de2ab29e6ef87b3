// Which contract tests also run on PostgreSQL, in `npm run test:all`: those that own SQL. A file
// owns the statements of the product files below its paths; test/unit/database-tests.test.ts
// refuses a statement that nobody owns.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What a PostgreSQL server alone has, and what the embedded database alone has. */
export const ONLY_POSTGRES = 'test/contract/database/postgres*.test.ts'
export const ONLY_SQLITE = 'test/contract/database/database-sqlite.test.ts'

const METASTORE = 'infra/metastore'

/** Test file below test/contract/ → product files or folders whose statements it runs. */
export const OWNS_SQL: Readonly<Record<string, readonly string[]>> = {
  'accounts/address-book': ['infra/secrets/', `${METASTORE}/address-book/`],
  'collect/collect': [`${METASTORE}/collect/`],
  'collect/query-task': [`${METASTORE}/collect/collect-marks.ts`],
  'collect/scan-task': ['ingest/collect/'],
  'collect/sync-task': [`${METASTORE}/tasks/synced-files.ts`],
  'configuration/policies': [`${METASTORE}/policies/`],
  'configuration/saved-searches': [`${METASTORE}/searches/saved-searches.ts`],
  'configuration/tags': [`${METASTORE}/tags/`],
  'configuration/tree': [`${METASTORE}/tree/`],
  'dashboards/dashboard-rights': ['query/dashboards/'],
  'dashboards/dashboards': [`${METASTORE}/dashboards/`],
  'database/database': ['infra/database/migrate.ts', 'infra/database/migrations/'],
  'database/database-races': [
    `${METASTORE}/counters.ts`,
    `${METASTORE}/searches/search-results.ts`,
  ],
  'database/lease': ['infra/database/lease.ts'],
  'database/scheduler': ['infra/database/lease.ts'],
  'event-log/event-log-kafka-anew': [`${METASTORE}/ledger/known-event-log.ts`],
  'evidence/verify': ['infra/evidence/'],
  'forward/begin': [`${METASTORE}/forwarding/`],
  'listener/listening-node': [`${METASTORE}/accounts/listening-nodes.ts`],
  'machine/backup-ends': [`${METASTORE}/backups/`],
  'machine/doctor': [`${METASTORE}/written-times.ts`],
  'metastore/audit-retention': [`${METASTORE}/audit/`],
  'metastore/metastore': [
    `${METASTORE}/accounts/`,
    `${METASTORE}/settings/`,
    `${METASTORE}/seed.ts`,
  ],
  'metastore/new-names': [`${METASTORE}/users/new-user-name.ts`],
  'metastore/rights': [
    `${METASTORE}/rights/`,
    `${METASTORE}/users/`,
    `${METASTORE}/first-start.ts`,
  ],
  'metastore/shared-key': [`${METASTORE}/shared-key.ts`],
  'metastore/silence-watch': [`${METASTORE}/silences/`],
  'monitors/alert-delivery': [`${METASTORE}/monitors/alert-messages.ts`],
  'monitors/digest': [`${METASTORE}/monitors/gathered-messages.ts`],
  'monitors/monitors': [`${METASTORE}/monitors/`],
  'monitors/reports': [`${METASTORE}/reports/`],
  'portal/heartbeat-job': ['infra/heartbeat/'],
  'portal/portal-accounts': ['portal/access/', 'portal/accounts/', 'portal/database/'],
  'portal/portal-attachments': ['portal/offers/attachments/'],
  'portal/portal-demo': ['portal/demo/'],
  'portal/portal-edge': ['portal/edge/', 'portal/operation/'],
  'portal/portal-heartbeat': ['portal/deployments/'],
  'portal/portal-license': ['portal/license/'],
  'portal/portal-lists': ['portal/accounts/', 'portal/offers/', 'portal/operation/'],
  'portal/portal-offers': ['portal/offers/', 'portal/pricing/'],
  'portal/portal-people': ['portal/accounts/', 'portal/mail/'],
  'portal/portal-webhook-delivery': ['portal/webhooks/message-queue.ts'],
  'portal/portal-webhook-events': ['portal/license/', 'portal/webhooks/'],
  'portal/portal-webhooks': ['portal/webhooks/'],
  'portal/proof/portal-credits': ['portal/license/keep-credits.ts'],
  'query/access/oidc': [`${METASTORE}/users/oidc-user.ts`],
  'query/access/second-factor': [`${METASTORE}/access/second-factors.ts`],
  'query/access/sessions': [`${METASTORE}/access/`, 'query/access/'],
  'query/search/search-cancel': [`${METASTORE}/searches/search-cancels.ts`],
  'query/search/search-pages': [`${METASTORE}/dashboards/stored-results.ts`],
  'retention/archive': [`${METASTORE}/archive/`],
  'retention/delete-events': [`${METASTORE}/retention/deletions.ts`],
  'retention/holds-in-between': [`${METASTORE}/retention/legal-holds.ts`],
  'retention/retention': [`${METASTORE}/retention/`],
  'sdk/every-command': ['query/sdk/', `${METASTORE}/license/`, `${METASTORE}/templates/`],
  'security/sight-matrix': [`${METASTORE}/event-paths/`],
  'security/groups': [`${METASTORE}/users/group-changes.ts`, `${METASTORE}/rights/forget-group.ts`],
  'store/ledger-retry': [`${METASTORE}/ledger/`],
  'store/store-prepare': ['infra/store/prepare-tables.ts'],
  'tasks/tasks': [`${METASTORE}/tasks/`, `${METASTORE}/collect/collected-progress.ts`],
  'writer/audit-copy': [`${METASTORE}/audit/audit-copies.ts`],
  'writer/writer-blocks': [`${METASTORE}/ledger/replayed-events.ts`],
  'writer/writer-templates': [`${METASTORE}/templates/`],
}

/** Relative to the root of the checkout. */
export function findDatabaseTests(folder: string): string[] {
  const files = Object.keys(OWNS_SQL).map((name) => join(folder, `${name}.test.ts`))
  for (const file of files)
    if (!existsSync(file)) throw new Error(`${file} does not exist: change OWNS_SQL`)
  return files
}
