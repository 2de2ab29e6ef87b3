// Rejected events, sent again as a sender would (decision 3.10): judged by the limits of now, then made durable in the event log. Each is a
// request of its own, with a key by which the writer stores it once.
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import { encodeBlock } from '../../schemas/block/codec.ts'
import type { BlockRequest, RejectionCode } from '../../schemas/block/schema.ts'
import { partitionOf } from './partition.ts'
import { type ScanLimits, scanBody } from './scan/scan.ts'
import { endLastLine, LineScanner } from './scan/scan-lines.ts'

export type ReplayedEvent = {
  readonly accountId: number
  readonly accountVersion: number
  readonly hostName: string
  readonly bytes: Buffer
  /** It came as a line of text, not as JSON. */
  readonly isLine: boolean
  readonly idempotencyKey: string
}

const MOST_REQUESTS = 256
const MOST_BYTES = 1024 * 1024

/** Why the listener would reject it now; undefined: it is accepted. */
export type JudgeReplayed = (
  event: Pick<ReplayedEvent, 'bytes' | 'isLine'>,
) => RejectionCode | undefined
/** Durable when it resolves; of an append that fails some events may be stored. Fails like the event log. */
export type AppendReplayed = (events: readonly ReplayedEvent[]) => Promise<void>

export function makeReplay(deps: { eventLog: EventLog; clock: Clock; limits: ScanLimits }): {
  judge: JudgeReplayed
  append: AppendReplayed
} {
  const { eventLog, clock, limits } = deps
  return {
    judge: (event) => scanOne(event, limits).code,
    append: async (events) => {
      const listener = clock.randomBytes(16).toString('hex')
      const sequences = new Map<number, number>()
      for (const [partition, requests] of byPartition(events)) {
        for (const group of groupsOf(requests)) {
          const sequence = (sequences.get(partition) ?? 0) + 1
          sequences.set(partition, sequence)
          await eventLog.append(partition, encodeBlock({ listener, sequence, requests: group }))
        }
      }
    },
  }

  function byPartition(events: readonly ReplayedEvent[]): Map<number, BlockRequest[]> {
    const receivedMs = clock.nowMs()
    const found = new Map<number, BlockRequest[]>()
    for (const event of events) {
      const { accountId, accountVersion, hostName, idempotencyKey } = event
      const { body, ranges } = scanOne(event, limits)
      // The same for each try, so that a repeat meets its first.
      const partition = partitionOf(accountId, hostName, eventLog.partitions)
      const sender = { accountId, accountVersion, receivedMs, hostName, peer: '', idempotencyKey }
      const request = { ...sender, body, ranges, rejections: [] }
      found.set(partition, [...(found.get(partition) ?? []), request])
    }
    return found
  }
}

/** With a line end behind it: so a text is one on a line of its own. */
function scanOne(
  { bytes, isLine }: Pick<ReplayedEvent, 'bytes' | 'isLine'>,
  limits: ScanLimits,
): { body: Buffer; ranges: Uint32Array; code: RejectionCode | undefined } {
  const body = endLastLine(bytes)
  const scanned = isLine ? scanLine(body, limits) : scanBody(body, limits)
  if (scanned.kind === 'refused') return { body, ranges: new Uint32Array(), code: 'invalid_json' }
  const { ranges, rejections } = scanned
  const isOne = ranges.length === 2 && rejections.length === 0
  return { body, ranges, code: isOne ? undefined : (rejections[0]?.code ?? 'invalid_json') }
}

function scanLine(body: Buffer, limits: ScanLimits) {
  const scanner = new LineScanner(body, limits)
  scanner.run(body.length)
  return scanner.result()
}

function* groupsOf(requests: readonly BlockRequest[]): Generator<BlockRequest[]> {
  let group: BlockRequest[] = []
  let bytes = 0
  for (const request of requests) {
    const isFull = group.length >= MOST_REQUESTS || bytes + request.body.length > MOST_BYTES
    if (group.length > 0 && isFull) {
      yield group
      group = []
      bytes = 0
    }
    group.push(request)
    bytes += request.body.length
  }
  if (group.length > 0) yield group
}
