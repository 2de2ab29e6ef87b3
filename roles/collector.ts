// The role `collector`: reads the files of this machine that logs name.
import type { Config } from '../infra/config-schema.ts'
import { makePathRules } from '../infra/files/path-rules.ts'
import { MASK_KEY, openSharedKey } from '../infra/metastore/shared-key.ts'
import { HostSessions } from '../infra/outbound/host-sessions.ts'
import { keyFileOf } from '../infra/secrets/key-file-of.ts'
import { SecretKeys } from '../infra/secrets/secret-keys.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { makeKeepsBy } from '../ingest/collect/filter-events.ts'
import { startCollector } from '../ingest/collect/start.ts'
import { makeCollectTelemetry } from '../ingest/collect/telemetry.ts'
import { makeMaskHash } from '../ingest/listener/masking/mask-hash.ts'
import { Masks } from '../ingest/listener/masking/mask-request.ts'
import { makeEventFilter } from '../query/language/event-filter.ts'
import { readSyncConfiguration } from '../query/sdk/tasks/read-sync-configuration.ts'
import type { EnginesWithLog } from './event-log.ts'

export async function openCollectorRole(
  { clock, logger, metrics, lifecycle, configFile }: RoleContext,
  config: Config,
  { metastore, eventLog }: EnginesWithLog,
): Promise<void> {
  const maskKey = await openSharedKey(metastore.database, MASK_KEY, clock)
  const telemetry = makeCollectTelemetry({ metrics, logger })
  const collector = startCollector({
    ...{ metastore, eventLog, clock, logger, telemetry, hostName: config.nodeName },
    progress: telemetry.progress,
    secretKeys: new SecretKeys(keyFileOf(config), clock),
    sessions: new HostSessions(),
    readSync: readSyncConfiguration,
    paths: makePathRules(config, configFile),
    makeKeeps: makeKeepsBy(makeEventFilter),
    masks: new Masks(makeMaskHash(maskKey)),
  })
  lifecycle.add('collector', () => collector.stop(), 500)
}
