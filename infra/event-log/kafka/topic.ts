// The topic: made when it is missing, checked when it exists. A setting that cannot keep a promise
// is a warning, once at the start.
import type Cluster from 'kafkajs/src/cluster/index.js'
import type { Broker } from 'kafkajs/src/cluster/index.js'
import { Failure } from '../../../schemas/failures.ts'
import type { Logger } from '../../logger.ts'
import type { KafkaAddress } from './address.ts'
import type { KafkaLink } from './link.ts'
import { PRODUCE_VERSION } from './produce-request.ts'
import { readTopicFacts, type TopicFacts } from './topic-id.ts'
import { hasCode, KafkaTrouble, toTrouble } from './trouble.ts'

/** Beside the block: heads of the batch and of the record. */
const OVERHEAD_BYTES = 1024
const DEFAULT_REPLICATION = 3
/** Space is given back by whole segments. */
const SEGMENT_BYTES = 128 * 1024 * 1024
const CREATE_MS = 5000
/** What a listener gathers before it sends: smaller ones would be refused under any load. */
const LEAST_BLOCK_BYTES = 3 * 1024 * 1024
const MIN_RETENTION_MINUTES = 7 * 24 * 60
const METADATA_BYTES = 4096
const PRODUCE = 0
const TOPIC = 2
const BROKER = 4

export type FoundTopic = {
  readonly partitions: number
  /** The largest block it takes, when that is less than asked for. */
  readonly maxBlockBytes: number
  /** undefined: the brokers are too old to say. */
  readonly id: string | undefined
}

type Options = {
  readonly link: KafkaLink
  readonly address: KafkaAddress
  readonly maxBlockBytes: number
  readonly logger: Logger
}

/** Fails with KafkaTrouble; with start.refused where no time helps. */
export async function openTopic(options: Options): Promise<FoundTopic> {
  const { link, address } = options
  const { logger } = options
  const found = await link.atController(async (controller, cluster) => {
    checkAge(controller)
    const partitions = await findOrMake(controller, cluster, options)
    const leastCopies = Math.min(...partitions.map(({ replicas }) => replicas.length))
    const settings = await readSettings(cluster, address.topic)
    const facts = await readTopicFacts(controller, address.topic)
    return { partitions: partitions.length, leastCopies, settings, facts }
  })
  const { partitions, leastCopies, settings, facts } = found
  const most = Number(settings.topic.get('max.message.bytes') ?? Number.POSITIVE_INFINITY)
  const maxBlockBytes = Math.min(options.maxBlockBytes, most - OVERHEAD_BYTES)
  const reason = findReason({ ...found, maxBlockBytes }, options)
  if (reason !== undefined)
    throw new Failure('start.refused', { reason: `the topic ${address.topic} ${reason}` })
  warn(settings, leastCopies, logger)
  if (maxBlockBytes < options.maxBlockBytes)
    logger.warn('topic takes only smaller blocks than eventLog.maxBlockBytes', {
      topic: address.topic,
      maxBlockBytes,
    })
  return { partitions, maxBlockBytes, id: facts?.id }
}

/** Among all requests only that of an append can meet a broker that is too old, or some
 *  day too new. */
function checkAge(broker: Broker): void {
  const { minVersion = 0, maxVersion = 0 } = broker.versions?.[PRODUCE] ?? {}
  if (PRODUCE_VERSION < minVersion || PRODUCE_VERSION > maxVersion)
    throw new KafkaTrouble('OLD_BROKER')
}

function findReason(
  found: {
    readonly partitions: number
    readonly settings: Settings
    readonly facts: TopicFacts | undefined
    readonly maxBlockBytes: number
  },
  { address, maxBlockBytes }: Options,
): string | undefined {
  const { partitions, settings, facts } = found
  const lacking = facts?.lacking ?? []
  if (lacking.length > 0) return `cannot be used: the user lacks the right ${lacking.join(', ')}`
  if (partitions < (address.leastPartitions ?? 1))
    return `has ${partitions} partitions, LOGEYE_EVENT_LOG_URL says ${address.leastPartitions}`
  if (/compact/.test(settings.topic.get('cleanup.policy') ?? ''))
    return 'is compacted, which would lose events: cleanup.policy must be delete'
  const least = Math.min(maxBlockBytes, LEAST_BLOCK_BYTES)
  if (found.maxBlockBytes < least)
    return `takes too small blocks: max.message.bytes must be ${least + OVERHEAD_BYTES} or more`
  return undefined
}

async function findOrMake(
  controller: Broker,
  cluster: Cluster,
  options: Options,
): Promise<ReturnType<Cluster['findTopicPartitionMetadata']>> {
  const { topic } = options.address
  const find = async () => {
    await cluster.addTargetTopic(topic)
    const found = cluster.findTopicPartitionMetadata(topic)
    if (found.length === 0) throw new KafkaTrouble('UNKNOWN_TOPIC_OR_PARTITION')
    return found
  }
  try {
    return await find()
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  await make(controller, cluster.getNodeIds().length, options)
  // Brokers learn of it one after the other: the caller asks again while it is unknown.
  return await find()
}

function isMissing(error: unknown): boolean {
  if (hasCode(error, ['UNKNOWN_TOPIC_OR_PARTITION'])) return true
  return error instanceof Error && 'type' in error && error.type === 'UNKNOWN_TOPIC_OR_PARTITION'
}

async function make(
  controller: Broker,
  brokers: number,
  { address, maxBlockBytes, logger }: Options,
): Promise<void> {
  const { topic, partitions } = address
  // One of those named may still be starting: a topic that is made before it comes would keep too
  // few copies for good.
  const known = Math.max(brokers, address.brokers.length)
  const copies = address.replication ?? Math.min(DEFAULT_REPLICATION, known)
  const entries: Record<string, string> = {
    'cleanup.policy': 'delete',
    // Blocks are deleted when they are stored, and never before.
    'retention.ms': '-1',
    'retention.bytes': '-1',
    'segment.bytes': String(SEGMENT_BYTES),
    'max.message.bytes': String(maxBlockBytes + OVERHEAD_BYTES),
    'min.insync.replicas': String(copies >= 3 ? 2 : 1),
    'unclean.leader.election.enable': 'false',
    'compression.type': 'producer',
    // A single copy is on its disk before it is acknowledged.
    ...(copies === 1 ? { 'flush.messages': '1' } : {}),
  }
  const configEntries = Object.entries(entries).map(([name, value]) => ({ name, value }))
  try {
    await controller.createTopics({
      topics: [{ topic, numPartitions: partitions, replicationFactor: copies, configEntries }],
      timeout: CREATE_MS,
    })
    logger.info('topic made', { topic, partitions, replication: copies })
  } catch (error) {
    if (isNotAllowed(error)) throw new KafkaTrouble('CLUSTER_AUTHORIZATION_FAILED', error)
    if (!isThere(error)) throw error
  }
}

function isNotAllowed(error: unknown): boolean {
  return hasCode(toTrouble(error), ['TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED'])
}

/** Another process made it at the same time. */
function isThere(error: unknown): boolean {
  const errors = error instanceof Error && 'errors' in error ? error.errors : []
  return Array.isArray(errors) && errors.some((one) => one?.type === 'TOPIC_ALREADY_EXISTS')
}

type Settings = {
  readonly topic: ReadonlyMap<string, string>
  readonly broker: ReadonlyMap<string, string>
}

/** Empty where we have not the right to read them. */
async function readSettings(cluster: Cluster, topic: string): Promise<Settings> {
  const nodeId = cluster.getNodeIds()[0] ?? ''
  const broker = await cluster.findBroker({ nodeId })
  const read = async (type: number, name: string): Promise<ReadonlyMap<string, string>> => {
    try {
      const resources = [{ type, name, configNames: [] }]
      const answer = await broker.describeConfigs({ resources })
      const entries = answer.resources[0]?.configEntries ?? []
      return new Map(entries.map((entry) => [entry.configName, entry.configValue ?? '']))
    } catch (error) {
      if (error instanceof Error && 'type' in error && /AUTHORIZATION/.test(String(error.type)))
        return new Map()
      throw error
    }
  }
  return { topic: await read(TOPIC, topic), broker: await read(BROKER, nodeId) }
}

function warn({ topic, broker }: Settings, copies: number, logger: Logger): void {
  const inSync = Number(topic.get('min.insync.replicas') ?? Number.NaN)
  const fields = { replication: copies, minInsyncReplicas: Number.isNaN(inSync) ? null : inSync }
  if (Number.isNaN(inSync))
    logger.warn('settings of the topic cannot be read, what it promises is not known', fields)
  if (copies < 2)
    logger.warn('topic has one copy, with its broker events are lost or wait for it', fields)
  else if (inSync < 2)
    logger.warn('topic acknowledges with one copy in sync, a broker lost can lose events', fields)
  else if (inSync >= copies)
    logger.warn('topic needs all its copies, one broker away stops ingest', fields)
  if (copies === 1 && topic.size > 0 && topic.get('flush.messages') !== '1')
    logger.warn('topic has one copy that is not flushed, a power cut loses events', {})
  if (topic.get('unclean.leader.election.enable') === 'true')
    logger.warn('topic may elect a leader that is behind, which loses events', {})
  const retention = Number(topic.get('retention.ms') ?? -1)
  if (retention >= 0 || Number(topic.get('retention.bytes') ?? -1) >= 0)
    logger.warn('topic has a retention, events not stored by then are lost', {
      retentionMs: retention,
    })
  warnOfPositions(broker, copies, logger)
}

/** Positions live in the brokers' own topic. */
function warnOfPositions(
  broker: ReadonlyMap<string, string>,
  copies: number,
  logger: Logger,
): void {
  const number = (name: string) => Number(broker.get(name) ?? Number.POSITIVE_INFINITY)
  if (number('offsets.topic.replication.factor') < copies)
    logger.warn('positions have fewer copies than the topic: offsets.topic.replication.factor', {})
  if (number('offset.metadata.max.bytes') < METADATA_BYTES)
    logger.warn('brokers take too short a text with a position: offset.metadata.max.bytes', {})
  if (number('offsets.retention.minutes') < MIN_RETENTION_MINUTES)
    logger.warn('brokers forget positions soon: offsets.retention.minutes', {})
}
