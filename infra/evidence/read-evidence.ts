// Reads the evidence chain in pages.
import {
  EVIDENCE_CONTENTS,
  type EvidenceKind,
  type EvidenceUnit,
  type ReadEntry,
} from '../../schemas/keep/evidence.ts'
import type { Database } from '../database/port.ts'
import type { EvidenceRow } from '../database/rows/evidence-rows.ts'
import { evidenceUnitKey, UnitStates, unitsOf } from './unit-states.ts'

const PAGE = 500

/** By rising number. */
export async function* readEvidence(
  db: Database['read'],
  after = 0,
  leftOut: readonly EvidenceKind[] = [],
): AsyncGenerator<EvidenceRow> {
  let last = after
  for (;;) {
    const rows = await db
      .selectFrom('evidence')
      .selectAll()
      .where('number', '>', last)
      .where('kind', 'not in', ['', ...leftOut])
      .orderBy('number')
      .limit(PAGE)
      .execute()
    for (const row of rows) {
      last = Number(row.number)
      yield { ...row, number: last, at_ms: Number(row.at_ms) }
    }
    if (rows.length < PAGE) return
  }
}

/** Undefined: of a kind that this version does not know, or changed by hand. */
export function readEntry({
  number,
  at_ms: atMs,
  kind,
  content,
}: EvidenceRow): ReadEntry | undefined {
  if (!isKind(kind)) return undefined
  try {
    return readAs(kind, { number, atMs }, JSON.parse(content))
  } catch {
    return undefined
  }
}

function readAs(
  kind: EvidenceKind,
  head: { number: number; atMs: number },
  content: unknown,
): ReadEntry | undefined {
  switch (kind) {
    case 'begin':
      return { ...head, kind, content: EVIDENCE_CONTENTS[kind].parse(content) }
    case 'audit':
    case 'audit-removed':
      return { ...head, kind, content: EVIDENCE_CONTENTS[kind].parse(content) }
    case 'day':
      return { ...head, kind, content: EVIDENCE_CONTENTS[kind].parse(content) }
    case 'retention':
      return { ...head, kind, content: EVIDENCE_CONTENTS[kind].parse(content) }
    case 'deletion':
      return { ...head, kind, content: EVIDENCE_CONTENTS[kind].parse(content) }
    default:
      return { ...head, kind, content: EVIDENCE_CONTENTS[kind].parse(content) }
  }
}

function isKind(kind: string): kind is EvidenceKind {
  return kind in EVIDENCE_CONTENTS
}

/** `known`: as of an earlier reading, which goes on. */
export async function readUnitStates(
  db: Database['read'],
  known = new UnitStates(),
): Promise<UnitStates> {
  // Most entries are about the audit log.
  for await (const row of readEvidence(db, known.last, ['audit', 'audit-removed'])) {
    const entry = readEntry(row)
    if (entry !== undefined) known.apply(entry)
    known.last = row.number
  }
  return known
}

/** Whether an entry behind `after` tells of one of the units. */
export async function isTouchedSince(
  db: Database['read'],
  units: readonly EvidenceUnit[],
  after: number,
): Promise<boolean> {
  const keys = new Set(units.map(evidenceUnitKey))
  for await (const row of readEvidence(db, after)) {
    const entry = readEntry(row)
    if (entry !== undefined && unitsOf(entry).some((one) => keys.has(evidenceUnitKey(one))))
      return true
  }
  return false
}
