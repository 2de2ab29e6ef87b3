// Chooses the event log by its URL: none is the embedded one, kafka:// a topic of Apache Kafka.
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { readDiskSpaceSync } from '../disk-space.ts'
import { type Logger, makeLogger } from '../logger.ts'
import { checkEmbeddedFiles } from './embedded/check-files.ts'
import { fillPartition } from './embedded/fill.ts'
import { beginAnew, openCurrent } from './embedded/generations.ts'
import { openLmdbEventLog } from './embedded/lmdb.ts'
import type { EventLog, LoggedBlock, Position } from './port.ts'

const EMBEDDED_PARTITIONS = 1
const DISK_SHARE = 0.2
/** Beside the directory, with which it does not go. */
const BEGUN_FILE = 'event-log-begun'

export type EventLogOptions = {
  readonly url?: string | undefined
  readonly dataDir: string
  /** Bytes not yet stored; absent: 20 % of the disk. Kafka: absent is no limit, the disks are the
   *  brokers'. */
  readonly maxBytes?: number | undefined
  readonly maxBlockBytes: number
  readonly clock: Clock
  /** Absent: warnings and errors to stderr. */
  readonly logger?: Logger
  /** Given what tells this log from every other of its name; resolves with its number, see
   *  known-event-log.ts. Absent: 0. */
  readonly recognize?: (identity: string) => Promise<number>
}

export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  if (options.url !== undefined) return await openDistributed(options.url, options)
  const directory = embeddedDirectory(options.dataDir)
  await mkdir(directory, { recursive: true })
  return await openLmdbEventLog({
    directory,
    partitions: EMBEDDED_PARTITIONS,
    maxBytes: maxPartitionBytes(options),
    maxBlockBytes: options.maxBlockBytes,
    clock: options.clock,
    logger: loggerOf(options),
  })
}

async function openDistributed(url: string, options: EventLogOptions): Promise<EventLog> {
  // The client is loaded only where Kafka is used.
  const { parseKafkaAddress } = await import('./kafka/address.ts')
  const { openKafkaEventLog } = await import('./kafka/kafka.ts')
  const { maxBytes = Number.POSITIVE_INFINITY, maxBlockBytes, clock, recognize } = options
  const logger = loggerOf(options)
  return await openKafkaEventLog({
    address: parseKafkaAddress(url),
    maxBytes,
    maxBlockBytes,
    clock,
    logger,
    ...(recognize === undefined ? {} : { recognize }),
  })
}

/** Fails with event_log.bad_url; asks nobody. */
export async function checkEventLogUrl(url: string): Promise<void> {
  const { parseKafkaAddress } = await import('./kafka/address.ts')
  parseKafkaAddress(url)
}

/** Whether the embedded log can be opened without harm. Only while no process has it open: the
 *  supervisor calls it before it starts any. Fails with event_log.damaged. */
export async function checkEmbeddedEventLog(
  options: Pick<EventLogOptions, 'dataDir' | 'maxBytes' | 'clock'>,
): Promise<void> {
  const directory = embeddedDirectory(options.dataDir)
  await mkdir(directory, { recursive: true })
  const maxBytes = maxPartitionBytes(options)
  const hasBegun = existsSync(join(options.dataDir, BEGUN_FILE))
  for (let partition = 0; partition < EMBEDDED_PARTITIONS; partition += 1)
    await checkEmbeddedFiles({ directory, partition, maxBytes, clock: options.clock, hasBegun })
}

/** Makes the embedded log where there is none, and leaves a file beside it, which tells
 *  later starts that a missing log is damage and not a new log. Only while no process has it open,
 *  and after the check. */
export async function beginEmbeddedEventLog(
  options: Pick<EventLogOptions, 'dataDir' | 'maxBytes' | 'clock'>,
): Promise<void> {
  const file = join(options.dataDir, BEGUN_FILE)
  if (existsSync(file)) return
  const directory = embeddedDirectory(options.dataDir)
  const common = { directory, maxBytes: maxPartitionBytes(options), clock: options.clock }
  for (let partition = 0; partition < EMBEDDED_PARTITIONS; partition += 1)
    await (await openCurrent({ ...common, partition })).retire()
  writeFileSync(file, '1\n', { mode: 0o640, flush: true })
}

/** Begins the embedded log anew at offset `first`, and sets what is there aside: its paths. Only
 *  while no process has it open. */
export async function beginEmbeddedEventLogAnew(
  options: Pick<EventLogOptions, 'dataDir' | 'maxBytes' | 'clock'>,
  first: number,
): Promise<string[]> {
  const directory = embeddedDirectory(options.dataDir)
  await mkdir(directory, { recursive: true })
  const common = { directory, maxBytes: maxPartitionBytes(options), clock: options.clock }
  const partitions = Array.from({ length: EMBEDDED_PARTITIONS }, (_, partition) => partition)
  const aside: string[] = []
  for (const partition of partitions)
    aside.push(...(await beginAnew({ ...common, partition }, first)))
  return aside
}

/** Makes the embedded log of a new data directory with what another one held: for each partition
 *  its position, its end and the blocks between. Fails with event_log.damaged, event_log.full. */
export async function fillEmbeddedEventLog(
  options: Pick<EventLogOptions, 'dataDir' | 'maxBytes' | 'clock'>,
  partitions: readonly { readonly position: Position; readonly end: number }[],
  blocksOf: (partition: number) => AsyncIterable<LoggedBlock>,
): Promise<void> {
  if (partitions.length !== EMBEDDED_PARTITIONS)
    throw new Failure('event_log.damaged', { reason: `${partitions.length} partitions` })
  const directory = embeddedDirectory(options.dataDir)
  await mkdir(directory, { recursive: true })
  const common = { directory, maxBytes: maxPartitionBytes(options), clock: options.clock }
  for (const [partition, kept] of partitions.entries())
    await fillPartition({ ...common, partition }, kept, blocksOf(partition))
}

function loggerOf({ logger, clock }: Pick<EventLogOptions, 'logger' | 'clock'>): Logger {
  return logger ?? makeLogger({ level: 'warn', process: 'event log', clock })
}

function embeddedDirectory(dataDir: string): string {
  return join(dataDir, 'event-log')
}

/** Bytes that the embedded log takes before it refuses. */
export function maxEmbeddedBytes(options: Pick<EventLogOptions, 'dataDir' | 'maxBytes'>): number {
  return EMBEDDED_PARTITIONS * maxPartitionBytes(options)
}

function maxPartitionBytes({
  dataDir,
  maxBytes,
}: Pick<EventLogOptions, 'dataDir' | 'maxBytes'>): number {
  if (maxBytes !== undefined) return Math.floor(maxBytes / EMBEDDED_PARTITIONS)
  const { totalBytes } = readDiskSpaceSync(dataDir)
  return Math.floor((totalBytes * DISK_SHARE) / EMBEDDED_PARTITIONS)
}
