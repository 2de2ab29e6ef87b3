// The role `scheduler`: the jobs of all lanes, run by one process of all on the database.
import { join } from 'node:path'
import { readVersion } from '../infra/cli/version.ts'
import { type Config, mailServerOf, publicUrlOf } from '../infra/config-schema.ts'
import { searchReserveBytes } from '../infra/disk-reserve.ts'
import { readDiskSpace } from '../infra/disk-space.ts'
import { makeEvidenceJob } from '../infra/evidence/evidence-job.ts'
import { readEvidenceKey } from '../infra/evidence/evidence-key.ts'
import { sendHeads } from '../infra/evidence/send-heads.ts'
import { makeHeartbeat } from '../infra/heartbeat/heartbeat-job.ts'
import { describeInstallation } from '../infra/heartbeat/installation.ts'
import { makeHeartbeatTelemetry } from '../infra/heartbeat/telemetry.ts'
import { auditRetention } from '../infra/metastore/audit/audit-retention.ts'
import { openServerKey } from '../infra/metastore/license/open-server-key.ts'
import { monitorRetention } from '../infra/metastore/monitors/monitor-retention.ts'
import { openObjects } from '../infra/objects/open.ts'
import type { Job } from '../infra/scheduler/job.ts'
import { startScheduler } from '../infra/scheduler/start.ts'
import { keyFileOf } from '../infra/secrets/key-file-of.ts'
import { SecretKeys } from '../infra/secrets/secret-keys.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { makeAuditCopy } from '../ingest/audit/copy-audit.ts'
import { startForwarding } from '../ingest/forward/start.ts'
import { makeForwardTelemetry } from '../ingest/forward/telemetry.ts'
import { makeCompaction } from '../ingest/retention/compaction-job.ts'
import { makeRetention } from '../ingest/retention/retention-job.ts'
import { readArrived } from '../ingest/writer/arrived.ts'
import { keyRetention } from '../ingest/writer/keys/key-retention.ts'
import { makeDashboardGeneration } from '../query/dashboards/generation-job.ts'
import { makeMonitorRuns } from '../query/monitors/run/run-monitors.ts'
import { makeAlertDelivery } from '../query/monitors/tell/delivery-job.ts'
import { makeAlertDigest } from '../query/monitors/tell/digest-job.ts'
import { makeEscalation } from '../query/monitors/tell/escalation-job.ts'
import { makeReportRuns } from '../query/reports/run-reports.ts'
import { resultCleaning } from '../query/search/results/result-cleaner.ts'
import { silenceWatch } from '../query/statistics/silence/watch-silence.ts'
import type { EnginesWithLog } from './event-log.ts'

const JOBS: readonly Job[] = [
  auditRetention,
  keyRetention,
  monitorRetention,
  resultCleaning,
  silenceWatch,
]

export async function openSchedulerRole(
  { clock, logger, metrics, lifecycle }: RoleContext,
  config: Config,
  { store, metastore, eventLog }: EnginesWithLog,
): Promise<void> {
  const { database } = metastore
  const engines = { store, metastore, database }
  const copied = metrics.counter(
    'logeye_audit_events_total',
    'Entries of the audit log that became events: received, or undecided (the end of the append is unknown)',
    ['state'],
  )
  const auditCopy = makeAuditCopy(eventLog, clock, (state, events) => copied.inc(events, { state }))
  const { nodeName, roles } = config
  const node = { name: nodeName, roles, version: readVersion() }
  const heartbeat = makeHeartbeat({
    installation: {
      fingerprint: await openServerKey(database, clock),
      version: node.version,
      nodeName,
      describe: () => describeInstallation(database.read, node, clock.nowMs()),
    },
    keys: new SecretKeys(keyFileOf(config), clock),
    telemetry: makeHeartbeatTelemetry({ metrics, logger }),
  })
  const limits = {
    maxQueryMemoryBytes: config.store.maxQueryMemoryBytes,
    keptFreeBytes: searchReserveBytes(config),
  }
  const keys = new SecretKeys(keyFileOf(config), clock)
  const publicUrl = publicUrlOf(config, config.http.plainPort)
  const monitorRuns = makeMonitorRuns({
    ...limits,
    readArrived: () => readArrived(eventLog),
    publicUrl,
  })
  const escalation = makeEscalation({ publicUrl })
  const delivery = makeAlertDelivery({ keys, mail: mailServerOf(config) })
  const generation = makeDashboardGeneration(limits)
  const removed = metrics.counter(
    'logeye_retention_removed_events_total',
    'Events that retention took out of the store',
  )
  const full = metrics.gauge(
    'logeye_storage_full_policies',
    'Collection policies whose events take more than they may, with all that may go gone',
  )
  removed.inc(0)
  full.set(0)
  const evidence = { database, keys }
  const retention = makeRetention({
    eventLog,
    warnings: {
      mail: mailServerOf(config),
      readFreeShare: async () => {
        const { freeBytes, totalBytes } = await readDiskSpace(config.dataDir)
        return freeBytes / totalBytes
      },
    },
    archive: { keys, spool: join(config.dataDir, 'archive-spool') },
    readDigestKey: async () => (await readEvidenceKey(evidence))?.digestKey,
    onRemoved: ({ events }) => removed.inc(events),
    onFull: (policies) => full.set(policies),
  })
  const differences = metrics.gauge(
    'logeye_evidence_changed_units',
    'Finished days of which the store holds other events than the evidence tells',
  )
  differences.set(0)
  const headsUrl = config.evidence.headsUrl?.reveal()
  const heads = {
    keys,
    serverKey: await openServerKey(database, clock),
    mail: mailServerOf(config),
    objects:
      headsUrl === undefined
        ? undefined
        : await openObjects({
            url: headsUrl,
            folder: join(config.dataDir, 'evidence-heads'),
            clock,
          }),
  }
  const evidenceJob = makeEvidenceJob({
    eventLog,
    keys,
    onDifferences: (units) => differences.set(units),
    sendHead: (context, key) => sendHeads(context, key, heads),
  })
  const waiting = metrics.gauge(
    'logeye_compaction_waiting_bytes',
    'On the disk of the store, of closed days that are not compacted yet',
  )
  waiting.set(0)
  const compaction = makeCompaction({
    hours: config.store.compactionHours,
    onWaiting: (bytes) => waiting.set(bytes),
  })
  const kept = [retention, compaction, evidenceJob]
  const { maxAttachmentBytes } = config.mail
  const reports = makeReportRuns({
    ...limits,
    ...{ mail: mailServerOf(config), publicUrl, maxAttachmentBytes },
  })
  const telling = [monitorRuns, escalation, makeAlertDigest({ publicUrl }), delivery, reports]
  const jobs = [...JOBS, auditCopy, heartbeat, generation, ...kept, ...telling]
  const scheduler = startScheduler({ engines, jobs, clock, logger, metrics })
  lifecycle.add('scheduler', () => scheduler.stop(), 300)
  const forwarding = startForwarding({
    ...{ metastore, store, clock, logger, keys },
    readArrived: () => readArrived(eventLog),
    telemetry: makeForwardTelemetry({ metrics, logger }),
  })
  lifecycle.add('forwarding', () => forwarding.stop(), 500)
}
