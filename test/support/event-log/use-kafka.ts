// Brokers of a test file, event logs that are closed after each test, and what they have logged.
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import { openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { testClock } from '../run/test-clock.ts'
import { WAIT_LIMIT_MS, waitUntil } from '../run/wait-until.ts'
import { type KafkaBroker, type KafkaCluster, startKafka } from './kafka-broker.ts'

/** Logged when a start tries again what failed. */
export const RETRIED = 'event log not open'

export type UsedKafka = {
  readonly cluster: KafkaCluster
  /** The first one. */
  readonly broker: KafkaBroker
  open(url: string, options?: { maxBytes?: number; clock?: Clock }): Promise<EventLog>
  /** An address with a topic that is not there yet. */
  newTopic(partitions?: number): string
  lastTopic(): string
  logged(): string
  withAdmin<T>(run: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T>
}

export function useKafka(
  options: { brokers?: number; settings?: Readonly<Record<string, string>> } = {},
): UsedKafka {
  let cluster: KafkaCluster | undefined
  let made = 0
  let logged: string[] = []
  const opened: EventLog[] = []
  const given = (): KafkaCluster => {
    if (cluster === undefined) throw new Error('the brokers are not started')
    return cluster
  }
  const first = (): KafkaBroker => {
    const [broker] = given().brokers
    if (broker === undefined) throw new Error('there is no broker')
    return broker
  }
  beforeAll(async () => {
    cluster = await startKafka(options)
  }, 120_000)
  afterAll(() => cluster?.stop())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()))
    logged = []
  })
  const lastTopic = () => `topic-${made}`
  return {
    get cluster() {
      return given()
    },
    get broker() {
      return first()
    },
    open: async (url, { clock = testClock, ...limits } = {}) => {
      const write = (line: string) => void logged.push(line)
      const logger = makeLogger({ level: 'debug', process: 'test', clock, write })
      const sizes = { maxBlockBytes: 16 << 20, ...limits }
      const log = await openEventLog({ dataDir: '', url, logger, clock, ...sizes })
      opened.push(log)
      return log
    },
    newTopic: (partitions = 1) => {
      made += 1
      return `kafka://${given().addresses}/${lastTopic()}?partitions=${partitions}`
    },
    lastTopic,
    logged: () => logged.join(''),
    withAdmin: async (run) => {
      const brokers = given().addresses.split(',')
      // A broker that has just opened its port may let a request lie.
      const limits = { requestTimeout: 3000, retry: { retries: 4, maxRetryTime: 1000 } }
      const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, ...limits }).admin()
      await admin.connect()
      try {
        return await run(admin)
      } finally {
        await admin.disconnect()
      }
    },
  }
}

/** A step of a long test says which it was when it hangs. */
export async function within<T>(
  what: string,
  step: Promise<T>,
  limitMs = WAIT_LIMIT_MS,
): Promise<T> {
  const over = new AbortController()
  const late = testClock.sleep(limitMs, over.signal).then(() => {
    throw new Error(`not within ${limitMs} ms: ${what}`)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([step, late])
  } finally {
    over.abort()
  }
}

export async function until(test: () => boolean | Promise<boolean>): Promise<void> {
  await waitUntil(String(test), test)
}
