// The role `collector`: reads the files of this machine that logs name.
import { realpathSync } from 'node:fs'
import type { Config } from '../infra/config-schema.ts'
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

/** A log must not show the product's secrets, nor those in the environment of processes. */
const SYSTEM = ['/proc', '/sys', '/dev']

export async function openCollectorRole(
  { clock, logger, metrics, lifecycle }: RoleContext,
  config: Config,
  { metastore, eventLog }: EnginesWithLog,
): Promise<void> {
  const { nodeName, dataDir, http, backupDir } = config
  const own = [dataDir, keyFileOf(config), http.keyFile, backupDir].flatMap(realPathOf)
  const maskKey = await openSharedKey(metastore.database, MASK_KEY, clock)
  const telemetry = makeCollectTelemetry({ metrics, logger })
  const collector = startCollector({
    ...{ metastore, eventLog, clock, logger, telemetry, hostName: nodeName },
    progress: telemetry.progress,
    secretKeys: new SecretKeys(keyFileOf(config), clock),
    sessions: new HostSessions(),
    readSync: readSyncConfiguration,
    closed: [...SYSTEM, ...own],
    makeKeeps: makeKeepsBy(makeEventFilter),
    masks: new Masks(makeMaskHash(maskKey)),
  })
  lifecycle.add('collector', () => collector.stop(), 500)
}

/** One that is not there is no file to hide yet. */
function realPathOf(path: string | undefined): string[] {
  if (path === undefined) return []
  try {
    return [realpathSync(path)]
  } catch {
    return [path]
  }
}
