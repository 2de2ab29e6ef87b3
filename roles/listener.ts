// The role `listener`: takes events at the doors of its process and answers when they are durable.
import type { Config } from '../infra/config-schema.ts'
import type { RawRoute } from '../infra/http/port.ts'
import { exchangeDayBytes } from '../infra/metastore/accounts/day-bytes.ts'
import { announceListeningNode } from '../infra/metastore/accounts/listening-nodes.ts'
import { MASK_KEY, openSharedKey } from '../infra/metastore/shared-key.ts'
import type { RoleContext } from '../infra/supervisor/role-process.ts'
import { openListener } from '../ingest/listener/open.ts'
import { makeExplain } from '../ingest/writer/explain.ts'
import { openLocator } from '../ingest/writer/open-locator.ts'
import type { EnginesWithLog } from './event-log.ts'

type ListenerRole = {
  readonly rawRoutes: readonly RawRoute[]
  stop(): Promise<void>
}

export async function openListenerRole(
  { clock, logger, metrics, parts }: RoleContext,
  config: Config,
  { metastore, eventLog }: EnginesWithLog,
): Promise<ListenerRole> {
  const { dataDir, nodeName, listener: limits } = config
  const locate = openLocator(config.geoip.file, logger)
  const { database } = metastore
  const withdraw = await announceListeningNode(database, nodeName, { clock, logger })
  const listener = openListener({
    eventLog,
    metastore,
    clock,
    logger,
    metrics,
    limits,
    dataDir,
    nodeName,
    explain: makeExplain({ metastore, limits: config.writer, locate }),
    receiptKey: await openSharedKey(database, 'receipt', clock),
    exchangeDayBytes: (taken, day) => exchangeDayBytes(database, taken, day),
    maskKey: await openSharedKey(database, MASK_KEY, clock),
  })
  parts.set('eventLog', async () => (await eventLog.status(0)).end >= 0)
  parts.set('listener', () => listener.isReady())
  return {
    rawRoutes: listener.routes,
    stop: async () => {
      await Promise.all([withdraw(), listener.stop()])
    },
  }
}
