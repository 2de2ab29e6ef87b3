// The forwarder over the engines of a place, as the role `scheduler` starts it.
import { join } from 'node:path'
import { systemClock } from '../../../infra/clock.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { startForwarding } from '../../../ingest/forward/start.ts'
import { makeForwardTelemetry } from '../../../ingest/forward/telemetry.ts'
import { readArrived } from '../../../ingest/writer/arrived.ts'
import { silentLogger } from '../database/query-database.ts'
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
    ...{ metastore, store: engine.store, clock: systemClock, logger },
    keys: new SecretKeys(join(dataDir, 'keys'), systemClock),
    readArrived: () => readArrived(eventLog),
    telemetry: makeForwardTelemetry({ metrics, logger }),
  })
  return { ...forwarding, metrics: () => metrics.text() }
}
