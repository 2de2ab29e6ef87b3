// The hashes of the two chains (docs/decisions/0111). Each covers the hash before it, so that one
// number and one hash stand for everything up to there. Pure.
import { createHash } from 'node:crypto'
import type { AuditRow } from '../database/rows/access-tables.ts'

/** Before the first entry of a chain. */
export const GENESIS = ''

export type EvidenceEntry = {
  /** 1, 2, 3 … without gaps. */
  readonly number: number
  readonly atMs: number
  readonly kind: string
  /** JSON. */
  readonly content: string
}

export function hashAuditEntry(previous: string, row: Omit<AuditRow, 'previous' | 'hash'>): string {
  const { id, at_ms, user_id, user_name, address, action, target, result, details } = row
  const user = user_id === null ? null : Number(user_id)
  const who = [user, user_name, address]
  const values = [Number(id), Number(at_ms), ...who, action, target, result, details]
  return digest('logeye audit 1', previous, JSON.stringify(values))
}

export function hashEvidenceEntry(previous: string, entry: EvidenceEntry): string {
  const { number, atMs, kind, content } = entry
  return digest('logeye evidence 1', previous, JSON.stringify([number, atMs, kind, content]))
}

/** What is signed of an entry. */
export function signedBytesOf(number: number, hash: string): Buffer {
  return Buffer.from(`logeye evidence signature 1\n${number}\n${hash}\n`)
}

function digest(...lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n'), 'utf8').digest('base64url')
}
