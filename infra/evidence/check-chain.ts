// What is wrong with an evidence chain, by the chain and the public key alone. Pure: it serves an
// exported chain, too.
import { type KeyObject, verify } from 'node:crypto'
import type { EvidenceRow } from '../database/rows/evidence-rows.ts'
import { hashEvidenceEntry, signedBytesOf } from './chain-hash.ts'
import { type ChainEnd, checkLinks, type Finding, type Link } from './check-links.ts'

/** Signed within a minute; so far from the end it is odd. */
const UNSIGNED_MS = 900_000

export type ChainCheck = {
  readonly findings: readonly Finding[]
  readonly entries: number
  /** The newest entry with a signature that holds; 0: none. */
  readonly signedThrough: number
}

export function checkChain(
  rows: readonly EvidenceRow[],
  options: { readonly key: KeyObject; readonly nowMs: number; readonly ends: readonly ChainEnd[] },
): ChainCheck {
  const { key, nowMs, ends } = options
  const links = rows.map((row): Link => {
    const { number, at_ms: atMs, kind, content, previous, hash } = row
    const own = hashEvidenceEntry(previous, {
      number: Number(number),
      atMs: Number(atMs),
      kind,
      content,
    })
    return { number: Number(number), previous, hash, own }
  })
  const findings = [...checkLinks('evidence', links, { after: 0, afterHash: '', ends })]
  const isNamed = new Set(findings.map(({ entry }) => entry))
  let signedThrough = 0
  const unsigned: EvidenceRow[] = []
  for (const row of rows) {
    const number = Number(row.number)
    if (row.signature === null) unsigned.push(row)
    else if (isSigned(row, row.signature, key)) signedThrough = number
    else if (!isNamed.has(number))
      findings.push({
        kind: 'evidence',
        entry: number,
        text: `entry ${number} of the evidence has a signature that does not hold`,
      })
  }
  for (const { number, at_ms } of unsigned)
    if (
      !isNamed.has(Number(number)) &&
      (Number(number) < signedThrough || nowMs - Number(at_ms) > UNSIGNED_MS)
    )
      findings.push({
        kind: 'evidence',
        entry: Number(number),
        text: `entry ${number} of the evidence has no signature`,
      })
  return { findings, entries: rows.length, signedThrough }
}

function isSigned({ number, hash }: EvidenceRow, signature: string, key: KeyObject): boolean {
  return verify(null, signedBytesOf(Number(number), hash), key, Buffer.from(signature, 'base64'))
}
