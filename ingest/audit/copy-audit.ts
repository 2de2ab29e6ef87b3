// Copies the entries of the audit log, in their order, into the event log, where they become events
// of System->audit (docs/decisions/0046). Each entry is copied once: a copy that a crash cut off is
// made again as the same request with the same Idempotency-Key, and the writer drops the later one.
import type { Clock } from '../../infra/clock.ts'
import type { AuditRow } from '../../infra/database/rows/access-tables.ts'
import type { EventLog } from '../../infra/event-log/port.ts'
import {
  type AuditCopy,
  beginAuditCopy,
  endAuditCopy,
} from '../../infra/metastore/audit/audit-copies.ts'
import type { Job } from '../../infra/scheduler/job.ts'
import { encodeBlock } from '../../schemas/block/codec.ts'
import type { BlockRequest } from '../../schemas/block/schema.ts'
import { isAlertAction } from '../../schemas/monitors/alert-entry.ts'
import { ALERTS_FORM, AUDIT_ACCOUNT, AUDIT_FORM } from './audit-form.ts'
import { printAuditEvent } from './print-audit-event.ts'

/** Always the same one: a repeat meets its first, and entries stay in order. */
const PARTITION = 0
/** A run ends here; what is left goes in the next. */
const MAX_COPIES = 100

/** `undecided`: the end of the append is unknown; the same events are copied again. */
export type CountCopied = (state: 'received' | 'undecided', events: number) => void

export function makeAuditCopy(
  eventLog: Pick<EventLog, 'append'>,
  clock: Pick<Clock, 'randomBytes'>,
  counted: CountCopied = () => undefined,
): Job {
  // One for all runs: the writer remembers the sequences of a few listeners only.
  const listener = clock.randomBytes(16).toString('hex')
  let sequence = 0
  return {
    name: 'audit-copy',
    everyMs: 500,
    limitMs: 30_000,
    run: async ({ database, held, clock: { nowMs }, signal }) => {
      for (let copies = 0; copies < MAX_COPIES && !signal.aborted; copies += 1) {
        const copy = await beginAuditCopy({ database, held }, nowMs())
        if (copy === undefined) return
        if (copy.entries.length > 0) {
          sequence += 1
          const block = { listener, sequence, requests: toRequests(copy) }
          const { length } = copy.entries
          try {
            await eventLog.append(PARTITION, encodeBlock(block))
          } catch (error) {
            counted('undecided', length)
            throw error
          }
          counted('received', length)
        }
        await endAuditCopy({ database, held }, copy.number)
      }
    },
  }
}

/** The same for each try: a request for each of the two logs that has entries. */
function toRequests({ number, begunMs, entries }: AuditCopy): BlockRequest[] {
  const alerts = entries.filter(({ action }) => isAlertAction(action))
  const others = entries.filter(({ action }) => !isAlertAction(action))
  return [
    { form: AUDIT_FORM.name, idempotencyKey: `audit-${number}`, rows: others },
    { form: ALERTS_FORM.name, idempotencyKey: `alerts-${number}`, rows: alerts },
  ]
    .filter(({ rows }) => rows.length > 0)
    .map(({ rows, ...own }) => ({ ...toRequest(rows, begunMs), ...own }))
}

function toRequest(
  entries: readonly AuditRow[],
  begunMs: number,
): Omit<BlockRequest, 'form' | 'idempotencyKey'> {
  const { body, ranges } = joinEvents(entries)
  return {
    accountId: AUDIT_ACCOUNT.id,
    accountVersion: AUDIT_ACCOUNT.version,
    receivedMs: begunMs,
    hostName: '',
    peer: '',
    body,
    ranges,
    rejections: [],
  }
}

function joinEvents(entries: readonly AuditRow[]): Pick<BlockRequest, 'body' | 'ranges'> {
  const events = entries.map((entry) => Buffer.from(printAuditEvent(entry)))
  const ranges = new Uint32Array(2 * events.length)
  let at = 0
  for (const [index, { length }] of events.entries()) {
    ranges[2 * index] = at
    at += length
    ranges[2 * index + 1] = at
  }
  return { body: Buffer.concat(events), ranges }
}
