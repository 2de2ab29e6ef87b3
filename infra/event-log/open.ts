// Chooses the event log by its URL: none is the embedded one.
import { statfsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { openLmdbEventLog } from './lmdb.ts'
import type { EventLog } from './port.ts'
import { remakeEmptyPartition } from './remake.ts'

const EMBEDDED_PARTITIONS = 1
const DISK_SHARE = 0.2

export type EventLogOptions = {
  readonly url?: string | undefined
  readonly dataDir: string
  /** Bytes not yet stored; absent: 20 % of the disk. */
  readonly maxBytes?: number | undefined
  readonly maxBlockBytes: number
  readonly clock: Clock
}

export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  if (options.url !== undefined) throw new Failure('event_log.unsupported_url')
  const directory = embeddedDirectory(options.dataDir)
  await mkdir(directory, { recursive: true })
  return openLmdbEventLog({
    directory,
    partitions: EMBEDDED_PARTITIONS,
    maxBytes: maxPartitionBytes(options),
    maxBlockBytes: options.maxBlockBytes,
    clock: options.clock,
  })
}

/** Gives the disk back that an emptied log still holds. Only while no process has it open: the supervisor calls it before it starts any. */
export async function remakeEmptyEventLog(
  options: Pick<EventLogOptions, 'dataDir' | 'maxBytes'>,
): Promise<void> {
  const directory = embeddedDirectory(options.dataDir)
  await mkdir(directory, { recursive: true })
  for (let partition = 0; partition < EMBEDDED_PARTITIONS; partition += 1) {
    await remakeEmptyPartition(directory, partition, maxPartitionBytes(options))
  }
}

function embeddedDirectory(dataDir: string): string {
  return join(dataDir, 'event-log')
}

function maxPartitionBytes({
  dataDir,
  maxBytes,
}: Pick<EventLogOptions, 'dataDir' | 'maxBytes'>): number {
  if (maxBytes !== undefined) return Math.floor(maxBytes / EMBEDDED_PARTITIONS)
  const disk = statfsSync(dataDir)
  return Math.floor((disk.blocks * disk.bsize * DISK_SHARE) / EMBEDDED_PARTITIONS)
}
