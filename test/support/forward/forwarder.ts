// The forwarder over the engines of a place, as the role `scheduler` starts it.
import { join } from 'node:path'
import { openMetrics } from '../../../infra/metrics.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
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
  const metrics = openMetrics('test')
  const forwarding = startForwarding({
    ...{ metastore, store: engine.store, clock: testClock, logger },
    keys: new SecretKeys(join(dataDir, 'keys'), testClock),
    readArrived: () => readArrived(eventLog),
    telemetry: makeForwardTelemetry({ metrics, logger }),
  })
  return { ...forwarding, metrics: () => metrics.text() }
}
