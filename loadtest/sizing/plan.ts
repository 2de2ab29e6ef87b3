// How many processes, nodes, partitions and disks a load needs. A pure function of the load: what
// it stands on is in assumptions.ts.
import {
  ASSUMED,
  type Load,
  MACHINE,
  type Machine,
  MEASURED,
  secondsOfEvent,
} from './assumptions.ts'
import { makeDay } from './day.ts'

export type Plan = {
  /** One machine with everything embedded is enough, when its loss may stop everything. */
  readonly fitsOneMachine: boolean
  readonly meanEventsPerSecond: number
  readonly peakEventsPerSecond: number
  /** Processes, one more than the peak needs. */
  readonly listeners: number
  readonly writers: number
  readonly partitions: number
  readonly brokers: number
  readonly brokerDiskBytes: number
  readonly shards: number
  readonly storeNodes: number
  readonly storeDiskBytes: number
  readonly storedBytesPerDay: number
  /** Cores at the peak hour: of our processes, and of all store nodes without searches. */
  readonly ourCores: number
  readonly storeCores: number
}

const DAY_SECONDS = 86_400
const DAY_MINUTES = 1440
/** When the day has its peak. */
const NOON = 720

export function planCluster(load: Load, machine: Machine = MACHINE): Plan {
  const { eventBytes, retentionDays } = load
  const mean = load.bytesPerDay / eventBytes / DAY_SECONDS
  const peak = mean * load.peakFactor
  const front = secondsOfEvent(MEASURED.frontSeconds, eventBytes)
  const work = secondsOfEvent(MEASURED.workSeconds, eventBytes)
  const store = secondsOfEvent(MEASURED.storeSeconds, eventBytes)
  const processes = (seconds: number) =>
    1 + atLeast(1, (peak * seconds * ASSUMED.kafkaCost) / ASSUMED.busiest)

  const writers = processes(work)
  const brokers = countBrokers(load, peak * eventBytes, machine)
  const storedBytesPerDay =
    mean * DAY_SECONDS * MEASURED.storedBytes * (eventBytes / MEASURED.eventBytes)
  const keptBytes = (storedBytesPerDay * retentionDays) / ASSUMED.fullest
  const coresForInserts = machine.cores * (1 - ASSUMED.searchShare) * ASSUMED.busiest
  const shards = Math.max(
    atLeast(1, (peak * store) / coresForInserts),
    atLeast(1, keptBytes / machine.diskBytes),
  )
  return {
    fitsOneMachine:
      peak * work <= ASSUMED.busiest &&
      peak * (front + work + store) <= coresForInserts &&
      keptBytes <= machine.diskBytes,
    meanEventsPerSecond: mean,
    peakEventsPerSecond: peak,
    listeners: processes(front),
    writers,
    partitions: countPartitions(writers, brokers),
    brokers,
    brokerDiskBytes: (worstOutage(load).bytes * ASSUMED.brokerReplicas) / brokers / ASSUMED.fullest,
    shards,
    storeNodes: shards * ASSUMED.storeReplicas,
    storeDiskBytes: keptBytes / shards,
    storedBytesPerDay,
    ourCores: peak * (front + work) * ASSUMED.kafkaCost,
    storeCores: peak * store * ASSUMED.storeReplicas,
  }
}

/** The hours without a store in which most arrives: around the peak, or around a midnight when two
 *  peaks fall into them. */
export function worstOutage(load: Load): { readonly centreMinute: number; readonly bytes: number } {
  const at = makeDay(load.peakFactor)
  const half = Math.round((load.outageHours * 60) / 2)
  const [noon, midnight] = [NOON, DAY_MINUTES].map((centreMinute) => {
    let minutes = 0
    for (let minute = -half; minute < half; minute++) minutes += at(centreMinute + minute)
    return { centreMinute, bytes: (minutes * load.bytesPerDay) / DAY_MINUTES }
  })
  if (noon === undefined || midnight === undefined) throw new TypeError('two centres were given')
  return noon.bytes >= midnight.bytes ? noon : midnight
}

function countBrokers(load: Load, peakBytesPerSecond: number, machine: Machine): number {
  const byRate =
    (peakBytesPerSecond * ASSUMED.brokerReplicas) / (ASSUMED.brokerBytesPerSecond * ASSUMED.busiest)
  const byDisk =
    (worstOutage(load).bytes * ASSUMED.brokerReplicas) / (machine.diskBytes * ASSUMED.fullest)
  return Math.max(atLeast(ASSUMED.brokerReplicas, byRate), atLeast(1, byDisk))
}

/** Enough for the load to come, a multiple of the brokers so that each has as many. */
function countPartitions(writers: number, brokers: number): number {
  const wanted = Math.max(
    ASSUMED.fewestPartitions,
    writers * ASSUMED.partitionsPerWriter * ASSUMED.growth,
  )
  return Math.ceil(wanted / brokers) * brokers
}

function atLeast(least: number, value: number): number {
  return Math.max(least, Math.ceil(value - 1e-9))
}
