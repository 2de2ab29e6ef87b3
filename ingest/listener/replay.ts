// Rejected events, sent again as a sender would (decision 3.10): judged by the limits of now, then
// made durable in the event log. Each is a request of its own, with a key by which the writer
// stores it once.
import type { Clock } from '../../infra/clock.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import type { Metastore } from '../../infra/metastore/port.ts'
import { encodeBlock } from '../../schemas/block/codec.ts'
import type { BlockRequest, RejectionCode } from '../../schemas/block/schema.ts'
import { partitionOf } from './commit/partition.ts'
import type { ReadBody } from './inputs/input.ts'
import { INPUTS } from './inputs/inputs.ts'
import { MaskScanner, type Masks } from './masking/mask-request.ts'
import type { ScanLimits, Scanned } from './scan/scan.ts'
import { endLastLine } from './scan/scan-lines.ts'

export type ReplayedEvent = {
  readonly accountId: number
  readonly accountVersion: number
  readonly hostName: string
  readonly bytes: Buffer
  /** The column `form` of its row in System->rejected; '' where it has none. */
  readonly form: string
  readonly idempotencyKey: string
}

/** By `form` of a rejected event: the input's form, and how its body is read. */
const FORMS: ReadonlyMap<string, { readonly name: string; readonly readBody: ReadBody }> = new Map(
  INPUTS.flatMap(({ form: { name }, rejectedForms }) =>
    Object.entries(rejectedForms).map(([form, readBody]) => [form, { name, readBody }] as const),
  ),
)
const MOST_REQUESTS = 256
const NO_EVENTS: Pick<Extract<Scanned, { kind: 'events' }>, 'ranges' | 'origins'> = {
  ranges: new Uint32Array(),
}
const MOST_BYTES = 1024 * 1024

/** Why the listener would reject it now; undefined: it is accepted. */
export type JudgeReplayed = (
  event: Pick<ReplayedEvent, 'bytes' | 'form'>,
) => RejectionCode | 'unknown_form' | undefined
/** Durable when it resolves; of an append that fails some events may be stored. Fails like the
 *  event log. */
export type AppendReplayed = (events: readonly ReplayedEvent[]) => Promise<void>

export function makeReplay(deps: {
  eventLog: EventLog
  clock: Clock
  limits: ScanLimits
  metastore: Pick<Metastore, 'accountVersion'>
  masks: Masks
}): {
  judge: JudgeReplayed
  append: AppendReplayed
} {
  const { eventLog, clock, limits, metastore, masks } = deps
  return {
    judge: (event) => scanOne(event, limits).code,
    append: async (events) => {
      const listener = clock.randomBytes(16).toString('hex')
      const sequences = new Map<number, number>()
      for (const [partition, requests] of await byPartition(events)) {
        for (const group of groupsOf(requests)) {
          const sequence = (sequences.get(partition) ?? 0) + 1
          sequences.set(partition, sequence)
          await eventLog.append(partition, encodeBlock({ listener, sequence, requests: group }))
        }
      }
    },
  }

  /** Rules of masking came perhaps after it was rejected. */
  async function hide(
    event: ReplayedEvent,
    body: Buffer,
    scanned: Pick<Extract<Scanned, { kind: 'events' }>, 'ranges' | 'origins'>,
  ) {
    const mask = masks.of(await metastore.accountVersion(event.accountId, event.accountVersion))
    if (mask === undefined) return { body, ...scanned, hostName: event.hostName }
    const events = { kind: 'events', rejections: [], ...scanned } as const
    const scanner = new MaskScanner(mask, body, events, true)
    while (!scanner.run(body.length));
    return { ...scanner.result(), hostName: mask.plain.host(event.hostName) }
  }

  async function byPartition(
    events: readonly ReplayedEvent[],
  ): Promise<Map<number, BlockRequest[]>> {
    const receivedMs = clock.nowMs()
    const found = new Map<number, BlockRequest[]>()
    for (const event of events) {
      const { accountId, accountVersion, idempotencyKey } = event
      const { body: received, form, scanned } = scanOne(event, limits)
      // An event that was accepted before may be rejected by today's limits: then `ranges` is
      // empty.
      const { body, ranges, origins, hostName } = await hide(event, received, scanned)
      // The same for each try, so that a repeat meets its first.
      const partition = partitionOf(accountId, event.hostName, eventLog.partitions)
      const sender = { accountId, accountVersion, receivedMs, hostName, peer: '', idempotencyKey }
      const request = { ...sender, form, body, ranges, rejections: [], origins }
      found.set(partition, [...(found.get(partition) ?? []), request])
    }
    return found
  }
}

/** With a line end after it: a text is an event only on a line of its own. */
function scanOne({ bytes, form }: Pick<ReplayedEvent, 'bytes' | 'form'>, limits: ScanLimits) {
  const { name, readBody } = FORMS.get(form) ?? { name: form, readBody: undefined }
  const received = endLastLine(bytes)
  if (readBody === undefined)
    return { body: received, form: name, scanned: NO_EVENTS, code: 'unknown_form' as const }
  const { body, scanner } = readBody(received, limits)
  while (!scanner.run(body.length));
  const scanned = scanner.result()
  if (scanned.kind === 'refused')
    return { body, form: name, scanned: NO_EVENTS, code: 'invalid_json' as const }
  const { ranges, rejections } = scanned
  const isOne = ranges.length === 2 && rejections.length === 0
  const code = isOne ? undefined : (rejections[0]?.code ?? ('invalid_json' as const))
  return { body, form: name, scanned, code }
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
