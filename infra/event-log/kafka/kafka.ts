// The event log in Apache Kafka: a topic, whose partitions are ours, and one consumer group of the
// writers.
import { Failure, isFailure } from '../../../schemas/failures.ts'
import type { Clock } from '../../clock.ts'
import { joinSignals } from '../../join-signals.ts'
import type { Logger } from '../../logger.ts'
import { retry } from '../../retry.ts'
import { PLACES_OF_A_LOG } from '../places.ts'
import type { EventLog, LoggedBlock, PartitionStatus, Position, Work } from '../port.ts'
import type { KafkaAddress } from './address.ts'
import { PartitionAppender, type WaitingBytes } from './appender.ts'
import { Backlog } from './backlog.ts'
import { GroupMember } from './group-member.ts'
import { KafkaLink } from './link.ts'
import { NO_MEMBER, Positions } from './positions.ts'
import { PartitionReader } from './reader.ts'
import { openTopic } from './topic.ts'
import { readTopicId } from './topic-id.ts'
import { hasCode, isFenced, isPassing, toTrouble, unavailable } from './trouble.ts'

/** Blocks that wait for their acknowledgement, in all partitions of the process. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024
const MAX_METADATA_BYTES = 4096
const REQUEST_MS = 6000
/** Within the session, so that a heartbeat can be sent again. */
const GROUP_REQUEST_MS = 2500
/** For the brokers to answer at start. */
const OPEN_MS = 15_000
const PASSING_MS = 3000
const TRIM_MS = 10_000
const CLOSE_MS = 400
/** How old what is known of the topic's id may be when only its status is asked for. */
const KNOWN_MS = 2000

export type KafkaOptions = {
  readonly address: KafkaAddress
  /** Bytes not yet stored, of all partitions. */
  readonly maxBytes: number
  readonly maxBlockBytes: number
  readonly clock: Clock
  readonly logger: Logger
  /** As in EventLogOptions. */
  readonly recognize?: (identity: string) => Promise<number>
}

/** Fails with start.refused: one line that says why. */
export async function openKafkaEventLog(options: KafkaOptions): Promise<EventLog> {
  const { address, clock, logger, recognize } = options
  const link = new KafkaLink({ address, clock, logger, requestTimeoutMs: REQUEST_MS })
  try {
    const topic = await retry(() => openTopic({ ...options, link }), {
      clock,
      limitMs: OPEN_MS,
      maxDelayMs: 1000,
      isRetriable: (error) => !isFailure(error) && !hasCode(error, HOPELESS),
      onRetry: (error) => logger.debug('event log not open', { cause: toTrouble(error).code }),
    })
    await checkGroup(link, address.group)
    const generation = topic.id === undefined ? 0 : await recognize?.(topic.id)
    return new KafkaEventLog({
      ...options,
      ...topic,
      firstPlace: (generation ?? 0) * PLACES_OF_A_LOG,
    })
  } catch (error) {
    if (isFailure(error)) throw error
    const { code } = toTrouble(error)
    const reason = REASONS.get(code) ?? `${NO_ANSWER} (${code}): host, port, tls, sasl?`
    throw new Failure('start.refused', { reason }, error)
  } finally {
    link.close()
  }
}

/** The heartbeat of nobody: what is refused is he, or the user. */
async function checkGroup(link: KafkaLink, groupId: string): Promise<void> {
  try {
    await link.atCoordinator((broker) =>
      broker.heartbeat({ groupId, groupGenerationId: -1, memberId: '' }),
    )
  } catch (error) {
    if (hasCode(error, ['GROUP_AUTHORIZATION_FAILED'])) throw error
  }
}

const NO_ANSWER = 'the brokers of LOGEYE_EVENT_LOG_URL do not answer'
const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    REFUSED_USER: 'the brokers of LOGEYE_EVENT_LOG_URL refuse the user or the password',
    SASL_AUTHENTICATION_FAILED:
      'the brokers of LOGEYE_EVENT_LOG_URL refuse the user or the password',
    ILLEGAL_SASL_STATE:
      'the brokers of LOGEYE_EVENT_LOG_URL accept no user and password at this port',
    UNSUPPORTED_SASL_MECHANISM:
      'the brokers of LOGEYE_EVENT_LOG_URL do not know the sasl mechanism',
    OLD_BROKER: 'the brokers of LOGEYE_EVENT_LOG_URL are too old or too new',
    UNSUPPORTED_VERSION: 'the brokers of LOGEYE_EVENT_LOG_URL are too old or too new',
    TOPIC_AUTHORIZATION_FAILED: 'the user may not use the topic of LOGEYE_EVENT_LOG_URL',
    GROUP_AUTHORIZATION_FAILED:
      'the user lacks the right READ on the group of LOGEYE_EVENT_LOG_URL',
    CLUSTER_AUTHORIZATION_FAILED: 'the topic is not there and the user may not make it',
    INVALID_REPLICATION_FACTOR:
      'the topic cannot be made: there are fewer brokers than copies (replication)',
    INVALID_TOPIC_EXCEPTION: 'the topic of LOGEYE_EVENT_LOG_URL has a name that brokers refuse',
    POLICY_VIOLATION:
      'the brokers have a rule against the topic as this product makes it: make it yourself',
  }),
)
const HOPELESS = [...REASONS.keys()].filter((code) => code !== 'INVALID_REPLICATION_FACTOR')

type Partition = {
  readonly appender: PartitionAppender
  readonly reader: PartitionReader
  readonly backlog: Backlog
  readonly links: readonly KafkaLink[]
  trimmedMs: number
}

class KafkaEventLog implements EventLog {
  readonly partitions: number
  readonly maxBlockBytes: number
  readonly #options: KafkaOptions
  readonly #closed = new AbortController()
  readonly #groupLink: KafkaLink
  readonly #positionLink: KafkaLink
  readonly #positions: Positions
  /** Id of the topic when it was opened; then the time when it was last compared. */
  readonly #topicId: string | undefined
  #askedMs = 0
  #isAnother = false
  readonly #firstPlace: number
  /** Reads of positions for status must not wait for a rebalance. */
  readonly #seen: Positions
  readonly #found = new Map<number, Partition>()
  readonly #waiting: WaitingBytes = { bytes: 0, most: MAX_WAITING_BYTES }
  /** The last position of each partition that this process has read or saved. */
  readonly #saved = new Map<number, number>()
  #member: GroupMember | undefined
  #owning: Promise<void> = Promise.resolve()

  constructor(
    options: KafkaOptions & { partitions: number; id: string | undefined; firstPlace: number },
  ) {
    this.partitions = options.partitions
    this.maxBlockBytes = options.maxBlockBytes
    this.#topicId = options.id
    this.#firstPlace = options.firstPlace
    this.#askedMs = options.clock.elapsedMs()
    this.#options = options
    const { topic, group } = options.address
    this.#groupLink = this.#link(GROUP_REQUEST_MS)
    this.#positionLink = this.#link(REQUEST_MS)
    this.#positions = new Positions({ link: this.#groupLink, topic, group })
    this.#seen = new Positions({ link: this.#positionLink, topic, group })
  }

  async append(partition: number, bytes: Uint8Array): Promise<number> {
    const { maxBytes } = this.#options
    const { maxBlockBytes } = this
    if (bytes.length > maxBlockBytes)
      throw new Failure('event_log.block_too_large', { maxBlockBytes })
    const { appender, backlog } = this.#partition(partition)
    if (!(await backlog.hasRoom(bytes.length, maxBytes / this.partitions)))
      throw new Failure('event_log.full')
    const offset = await appender.append(bytes)
    backlog.appended(bytes.length)
    return offset + this.#firstPlace
  }

  async read(
    partition: number,
    from: number,
    options: { maxBytes: number; waitMs: number; signal?: AbortSignal },
  ): Promise<LoggedBlock[]> {
    const { reader } = this.#partition(partition)
    const { signal, leave } = joinSignals([
      this.#closed.signal,
      ...(options.signal ? [options.signal] : []),
    ])
    const first = this.#firstPlace
    const at = Math.max(0, from - first)
    const blocks = await this.#asked(() => reader.read(at, { ...options, signal })).finally(leave)
    return first === 0 ? blocks : blocks.map((it) => ({ ...it, offset: it.offset + first }))
  }

  async position(partition: number): Promise<Position> {
    const { reader } = this.#partition(partition)
    const [position, bounds] = await this.#asked(() =>
      Promise.all([this.#positions.fetch(partition), reader.bounds()]),
    )
    const { low, end } = bounds
    const found = position ?? { next: 0, metadata: '' }
    const fields = { partition, next: found.next, low, end }
    // Blocks were given back, so there was a position: without it they could be stored twice.
    if (position === undefined && low > 0)
      throw this.#unsound('the position of a partition is gone', fields)
    if (found.next > end) throw this.#unsound('the partition ends before its position', fields)
    if (found.next < low)
      this.#options.logger.error('blocks are gone from the event log unstored', fields)
    const next = found.next + this.#firstPlace
    this.#saved.set(partition, next)
    return { ...found, next }
  }

  async savePosition(partition: number, position: Position): Promise<void> {
    if (Buffer.byteLength(position.metadata) > MAX_METADATA_BYTES)
      throw new Error('the metadata of a position is longer than 4 KiB')
    const { backlog } = this.#partition(partition)
    const member = this.#member
    const membership = member === undefined ? NO_MEMBER : member.membershipOf(partition)
    if (membership === undefined) throw new Failure('event_log.not_owner')
    // Without an owner anybody may have moved it meanwhile.
    const known = member === undefined ? undefined : this.#saved.get(partition)
    const before = known ?? (await this.position(partition)).next
    if (position.next < before) throw new Error('a position may not fall')
    // What was read before it may be of another topic, at places of which it knows nothing: neither
    // it nor its intent is saved.
    await this.#checkTopic(partition, 0)
    const saved = { ...position, next: position.next - this.#firstPlace }
    try {
      await this.#patiently(() => this.#positions.commit(partition, saved, membership))
    } catch (error) {
      if (!isFenced(error)) throw unavailable(error)
      member?.fenced(membership)
      throw new Failure('event_log.not_owner', {}, error)
    }
    this.#saved.set(partition, position.next)
    backlog.moved()
    this.#trim(partition, saved.next)
  }

  async own(work: Work, signal: AbortSignal): Promise<void> {
    if (this.#member !== undefined) throw new Error('the partitions are owned already')
    const { address, clock, logger } = this.#options
    const { topic, group } = address
    const { partitions } = this
    const link = this.#groupLink
    const member = new GroupMember({ link, topic, group, partitions, clock, logger })
    this.#member = member
    this.#owning = member.run(work, AbortSignal.any([signal, this.#closed.signal])).finally(() => {
      this.#member = undefined
    })
    await this.#owning
  }

  async status(partition: number): Promise<PartitionStatus> {
    const { backlog } = this.#partition(partition)
    await this.#checkTopic(partition, KNOWN_MS)
    const status = await this.#asked(() => backlog.status())
    const first = this.#firstPlace
    return { ...status, end: status.end + first, next: status.next + first }
  }

  async close(): Promise<void> {
    this.#closed.abort()
    // Others follow at once when we have said that we leave.
    const left = new AbortController()
    const limit = this.#options.clock.sleep(CLOSE_MS, left.signal)
    await Promise.race([this.#owning.catch(() => undefined), limit])
    left.abort()
    this.#groupLink.close()
    this.#positionLink.close()
    for (const { links } of this.#found.values()) for (const link of links) link.close()
  }

  #link(requestTimeoutMs: number): KafkaLink {
    const { address, clock, logger } = this.#options
    return new KafkaLink({ address, clock, logger, requestTimeoutMs })
  }

  /** Connections are made when a partition is used, appends and reads apart. */
  #partition(partition: number): Partition {
    if (!Number.isInteger(partition) || partition < 0 || partition >= this.partitions)
      throw new Error('no such partition')
    if (this.#closed.signal.aborted) throw new Failure('event_log.unavailable')
    if (this.#isAnother) throw new Failure('event_log.another')
    const known = this.#found.get(partition)
    if (known !== undefined) return known
    const { address, clock, logger, maxBlockBytes } = this.#options
    const links = [this.#link(REQUEST_MS), this.#link(REQUEST_MS)] as const
    const common = { topic: address.topic, partition, clock, logger }
    const reader = new PartitionReader({ ...common, link: links[1] })
    const made: Partition = {
      reader,
      appender: new PartitionAppender({
        ...common,
        link: links[0],
        waiting: this.#waiting,
        maxBlockBytes,
        signal: this.#closed.signal,
      }),
      backlog: new Backlog({ ...common, reader, positions: this.#seen }),
      links,
      trimmedMs: Number.NEGATIVE_INFINITY,
    }
    this.#found.set(partition, made)
    return made
  }

  /** Fails with event_log.another, from then on every call; with event_log.unavailable when nobody
   *  knows. */
  async #checkTopic(partition: number, maxAgeMs: number): Promise<void> {
    const { address, clock, logger } = this.#options
    const nowMs = clock.elapsedMs()
    if (this.#topicId === undefined || nowMs - this.#askedMs < maxAgeMs) return
    const read = () =>
      this.#positionLink.atLeader(partition, (broker) => readTopicId(broker, address.topic))
    if ((await this.#asked(read)) === this.#topicId) {
      this.#askedMs = nowMs
      return
    }
    if (!this.#isAnother) {
      const advice = "stop all processes, see 'logeye adopt-event-log'"
      logger.error('the topic was deleted and created again while it was in use, nothing goes on', {
        advice,
      })
    }
    this.#isAnother = true
    throw new Failure('event_log.another')
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await this.#patiently(ask)
    } catch (error) {
      throw isFailure(error) ? error : unavailable(error)
    }
  }

  /** While a partition or the positions find another broker. */
  async #patiently<T>(ask: () => Promise<T>): Promise<T> {
    const { clock } = this.#options
    const signal = this.#closed.signal
    return await retry(ask, { clock, signal, limitMs: PASSING_MS, isRetriable: isPassing })
  }

  #unsound(phrase: string, fields: Readonly<Record<string, number>>): Failure {
    this.#options.logger.error(phrase, fields)
    return new Failure('event_log.unsound', { reason: phrase })
  }

  /** Now and then; the first time at once, so that a partition shows that it once had a
   *  position. */
  #trim(partition: number, next: number): void {
    const found = this.#partition(partition)
    const nowMs = this.#options.clock.elapsedMs()
    if (next === 0 || nowMs - found.trimmedMs < TRIM_MS) return
    found.trimmedMs = nowMs
    found.reader.trim(next).catch((error: unknown) => {
      if (this.#closed.signal.aborted) return
      const { code } = toTrouble(error)
      this.#options.logger.debug('blocks not given back', { partition, cause: code })
    })
  }
}
