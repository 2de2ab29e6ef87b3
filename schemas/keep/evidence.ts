// What entries of the evidence chain hold (docs/decisions/0111). Entries are kept for ever: a kind
// may get fields, and loses none.
import { z } from 'zod'

const count = z.number().int()

/** Policy and day of receipt (from 1970, UTC). */
const unit = z.object({ policy: count, day: count })
export type EvidenceUnit = z.infer<typeof unit>

const logDigest = z.object({
  log: count,
  rows: count,
  /** Sum of keyed hashes of the rows modulo 2^128, decimal: no order of rows matters. */
  digest: z.string().regex(/^\d{1,39}$/),
})
export type LogDigest = z.infer<typeof logDigest>

/** By partition of the event log: rows from below these offsets are covered. */
const bounds = z.array(z.tuple([count, count]))
export type Bounds = z.infer<typeof bounds>

/** Of what changes or moves whole units: what, for people. */
const unitsChanged = z.object({ units: z.array(unit), note: z.string() })

export const EVIDENCE_CONTENTS = {
  /** The first entry: the audit log is covered behind this entry. */
  begin: z.object({ auditAfter: count, publicKey: z.string() }),
  /** The audit log up to and with this entry. */
  audit: z.object({ through: count, hash: z.string() }),
  /** Entries of the audit log up to and with this one are kept no longer. */
  'audit-removed': z.object({ through: count, hash: z.string() }),
  /** What a unit holds. `late`: rows were received for it after the entry before; `changed`: after
   *  the entry `cause`. */
  day: unit.extend({
    reason: z.enum(['finished', 'late', 'changed']),
    cause: count.optional(),
    bounds,
    logs: z.array(logDigest),
  }),
  /** The unit left the store. */
  retention: unit.extend({ cause: z.string(), events: count, bounds, entry: z.string() }),
  /** Rows were deleted: of those that a `day` covers, their digests. */
  deletion: z.object({
    number: count,
    log: z.string(),
    askedBy: z.string(),
    events: count,
    units: z.array(unit.extend({ logs: z.array(logDigest) })),
  }),
  /** Units were copied into the archive; they stay as they are. */
  archive: unitsChanged,
  /** The unit came back from the archive as it was when it left. */
  thaw: unitsChanged,
  /** Values of stored events were hidden. */
  masking: unitsChanged,
  /** A loss was accepted. */
  damage: unitsChanged,
  /** Files were put right or written anew; the rows are the same. */
  repair: unitsChanged,
  compaction: unitsChanged,
} as const

export type EvidenceKind = keyof typeof EVIDENCE_CONTENTS
export type EvidenceContent<Kind extends EvidenceKind = EvidenceKind> = z.infer<
  (typeof EVIDENCE_CONTENTS)[Kind]
>

export type ReadEntry = {
  [Kind in EvidenceKind]: {
    readonly kind: Kind
    readonly number: number
    readonly atMs: number
    readonly content: EvidenceContent<Kind>
  }
}[EvidenceKind]
