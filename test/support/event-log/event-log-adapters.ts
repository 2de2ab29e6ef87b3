// Every adapter of the event log, for the contract suite: how to open it on an empty place of its
// own, and again after a crash.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { silentLogger } from '../database/query-database.ts'
import { testClock } from '../run/test-clock.ts'
import { type KafkaCluster, kafkaMissing, startKafka } from './kafka-broker.ts'

export type EventLogPlace = {
  open(options?: { maxBytes?: number; maxBlockBytes?: number }): Promise<EventLog>
  remove(): void
  /** Arguments for event-log-appender.ts, a process of its own that opens the same log. */
  readonly appenderArguments: readonly string[]
}

export type EventLogAdapter = { readonly name: string; makePlace(): EventLogPlace }

const SIZES = { maxBytes: 256 << 20, maxBlockBytes: 16 << 20, clock: testClock }

const lmdb: EventLogAdapter = {
  name: 'lmdb',
  makePlace() {
    const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-event-log-'))
    return {
      open: (options = {}) => openEventLog({ dataDir, ...SIZES, ...options }),
      remove: () => rmSync(dataDir, { recursive: true, force: true }),
      appenderArguments: [dataDir],
    }
  },
}

/** One broker for the test file, a topic for each place. */
function kafkaAdapter(): EventLogAdapter {
  let cluster: Promise<KafkaCluster> | undefined
  let made = 0
  afterAll(async () => await (await cluster)?.stop())
  return {
    name: 'kafka',
    makePlace() {
      cluster ??= startKafka()
      made += 1
      const topic = `place-${made}`
      const appenderArguments: string[] = []
      return {
        open: async (options = {}) => {
          const { addresses } = await (cluster ?? startKafka())
          const url = `kafka://${addresses}/${topic}?partitions=1`
          appenderArguments.splice(0, 1, url)
          return await openEventLog({
            dataDir: '',
            url,
            logger: silentLogger,
            ...SIZES,
            ...options,
          })
        },
        // The broker takes all with it.
        remove: () => undefined,
        appenderArguments,
      }
    },
  }
}

/** Without Kafka that one is not among them: test/contract/machine/variants.test.ts says it
 *  once. */
export const eventLogAdapters: readonly EventLogAdapter[] = [
  lmdb,
  ...(kafkaMissing() === undefined ? [kafkaAdapter()] : []),
]
