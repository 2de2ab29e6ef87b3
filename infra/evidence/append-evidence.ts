// Adds to the evidence chain, in the transaction of what the entry tells of. Any process may: the
// entry is signed a moment later by the one that runs the jobs (evidence-job.ts).
import type { Transaction } from 'kysely'
import type { EvidenceContent, EvidenceKind } from '../../schemas/keep/evidence.ts'
import { printCanonical } from '../../schemas/portal/canonical-json.ts'
import type { Tables } from '../database/tables.ts'
import { wellFormed } from '../metastore/well-formed.ts'
import { hashEvidenceEntry } from './chain-hash.ts'
import { moveChainHead, readChainHead } from './chain-heads.ts'

/** Gives the number of the entry. */
export async function appendEvidence<Kind extends EvidenceKind>(
  transaction: Transaction<Tables>,
  kind: Kind,
  { content, atMs }: { readonly content: EvidenceContent<Kind>; readonly atMs: number },
): Promise<number> {
  const head = await readChainHead(transaction, 'evidence')
  const number = head.number + 1
  const text = wellFormed(printCanonical(content)).replaceAll('\0', '\ufffd')
  const entry = { number, atMs: Math.trunc(atMs), kind, content: text }
  const { hash: previous } = head
  const hash = hashEvidenceEntry(previous, entry)
  await transaction
    .insertInto('evidence')
    .values({ number, at_ms: entry.atMs, kind, content: text, previous, hash, signature: null })
    .execute()
  await moveChainHead(transaction, 'evidence', { number, hash })
  return number
}
