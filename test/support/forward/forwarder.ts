// The forwarder over given engines, as the role `scheduler` starts it.
import { join } from 'node:path'
import type { OpenedMetastore } from '../../../infra/metastore/open.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import type { Store } from '../../../infra/store/port.ts'
import { startForwarding } from '../../../ingest/forward/start.ts'
import { makeForwardTelemetry } from '../../../ingest/forward/telemetry.ts'
import { readArrived } from '../../../ingest/writer/arrived.ts'
import { silentLogger } from '../database/query-database.ts'
import { testClock } from '../run/test-clock.ts'
import type { WriterPlace } from '../writer/writer-place.ts'

export type RunningForwarder = ReturnType<typeof startForwarding> & {
  readonly metrics: () => Promise<string>
}

export function startForwarder(
  { metastore, engine, eventLog, dataDir }: WriterPlace,
  logger = silentLogger,
): RunningForwarder {
  return startForwarderOn(
    {
      ...{ metastore, store: engine.store, keyFile: join(dataDir, 'keys') },
      readArrived: () => readArrived(eventLog),
    },
    logger,
  )
}

export function startForwarderOn(
  engines: {
    readonly metastore: OpenedMetastore
    readonly store: Store
    readonly keyFile: string
    readonly readArrived: () => ReturnType<typeof readArrived>
  },
  logger = silentLogger,
): RunningForwarder {
  const { keyFile, ...deps } = engines
  const metrics = openMetrics('test')
  const forwarding = startForwarding({
    ...{ ...deps, clock: testClock, logger },
    keys: new SecretKeys(keyFile, testClock),
    telemetry: makeForwardTelemetry({ metrics, logger }),
  })
  return { ...forwarding, metrics: () => metrics.text() }
}
