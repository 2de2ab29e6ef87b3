// Days of a cluster, minute by minute: what arrives, what listeners take, what waits in the event
// log, what writers and store bring away, while something is missing. A pure function: it shows
// whether a plan holds, and how late events become searchable.
import {
  ASSUMED,
  type Load,
  MACHINE,
  type Machine,
  MEASURED,
  secondsOfEvent,
} from './assumptions.ts'
import { makeDay } from './day.ts'
import type { Plan } from './plan.ts'

/** From `beginMinute` on, for so many minutes. `store`: all of it is away; `storeNode`: one replica
 *  of one shard. */
export type Fault = {
  readonly kind: 'listener' | 'writer' | 'broker' | 'storeNode' | 'store'
  readonly beginMinute: number
  readonly minutes: number
}

export type Course = {
  readonly arrived: number
  readonly stored: number
  readonly waiting: number
  /** Events answered 500: senders repeat them, here they count once. */
  readonly refused: number
  readonly mostWaitingBytes: number
  /** From receipt until searchable, the worst of all; counted in whole minutes. */
  readonly latestMinutes: number
}

export type Cluster = Pick<Plan, 'listeners' | 'writers' | 'brokers' | 'brokerDiskBytes' | 'shards'>

export function simulate(
  load: Load,
  cluster: Cluster,
  {
    days,
    faults,
    machine = MACHINE,
  }: { days: number; faults: readonly Fault[]; machine?: Machine },
): Course {
  const dayAt = makeDay(load.peakFactor)
  const perMinute = load.bytesPerDay / load.eventBytes / 1440
  const rates = ratesOf(load, machine)
  const capacityEvents =
    (cluster.brokers * cluster.brokerDiskBytes) / ASSUMED.brokerReplicas / load.eventBytes
  const taken: number[] = []
  const done: number[] = []
  let [arrived, stored, refused, mostWaiting] = [0, 0, 0, 0]
  for (let minute = 0; minute < days * 1440; minute++) {
    const missing = (kind: Fault['kind']) =>
      faults.filter((it) => it.kind === kind && isAt(it, minute)).length
    const comes = perMinute * dayAt(minute % 1440)
    const waiting = arrived - refused - stored
    const brokers = cluster.brokers - missing('broker')
    // Two of three copies must be written: with fewer brokers than that nothing is.
    const brokersTake = brokers < 2 ? 0 : brokers * rates.broker
    const accepted = Math.min(
      comes,
      (cluster.listeners - missing('listener')) * rates.listener,
      brokersTake,
      Math.max(0, capacityEvents - waiting),
    )
    // The twin of a missing replica takes all inserts and all searches of its shard: the slowest
    // shard holds up its partitions only, and is reckoned as if it held up its share of everything.
    const hurt = Math.min(missing('storeNode'), cluster.shards)
    const storeTakes =
      missing('store') > 0 ? 0 : (cluster.shards - hurt * (1 - rates.hurtShard)) * rates.shard
    const writersTake = Math.max(0, cluster.writers - missing('writer')) * rates.writer
    const brought = Math.min(waiting + accepted, writersTake, storeTakes)
    arrived += comes
    refused += comes - accepted
    stored += brought
    mostWaiting = Math.max(mostWaiting, waiting + accepted - brought)
    taken.push(arrived - refused)
    done.push(stored)
  }
  return {
    arrived,
    stored,
    refused,
    waiting: arrived - refused - stored,
    mostWaitingBytes: mostWaiting * load.eventBytes,
    latestMinutes: latest(taken, done),
  }
}

/** Events a minute of one process or node that has nothing else to do. */
function ratesOf({ eventBytes }: Load, machine: Machine) {
  const process = (seconds: number) =>
    60 / (secondsOfEvent(seconds, eventBytes) * ASSUMED.kafkaCost)
  const copies = ASSUMED.brokerReplicas
  const forInserts = machine.cores * (1 - ASSUMED.searchShare)
  return {
    listener: process(MEASURED.frontSeconds),
    writer: process(MEASURED.workSeconds),
    broker: (60 * ASSUMED.brokerBytesPerSecond) / copies / eventBytes,
    shard: (60 * forInserts) / secondsOfEvent(MEASURED.storeSeconds, eventBytes),
    /** Searches of two replicas on one: they leave what is above their doubled share, at least a
     *  quarter by the queues' limits. */
    hurtShard: Math.max(0.25, (1 - 2 * ASSUMED.searchShare) / (1 - ASSUMED.searchShare)),
  }
}

function isAt(fault: Fault, minute: number): boolean {
  return minute >= fault.beginMinute && minute < fault.beginMinute + fault.minutes
}

/** First in, first out: what was taken by a minute is stored when `done` has reached it. */
function latest(taken: readonly number[], done: readonly number[]): number {
  let [worst, at] = [0, 0]
  for (const [minute, count] of taken.entries()) {
    while (at < done.length && (done[at] ?? 0) < count * (1 - 1e-12)) at++
    worst = Math.max(worst, at - minute)
  }
  return worst
}
