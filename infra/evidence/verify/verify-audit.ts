// Checks the hash chain over the audit log against what the evidence says of it.

import type { ReadEntry } from '../../../schemas/keep/evidence.ts'
import type { Database } from '../../database/port.ts'
import type { AuditRow } from '../../database/rows/access-tables.ts'
import { hashAuditEntry } from '../chain-hash.ts'
import { readChainHead } from '../chain-heads.ts'
import { type ChainEnd, type Finding, LinkCheck } from '../check-links.ts'

const PAGE = 1000

export type AuditCheck = {
  readonly findings: readonly Finding[]
  readonly entries: number
  readonly through: number
}

type AuditBegin = { readonly after: number; readonly hash: string }

/** Where the chain begins now, and what is signed of it. `entries`: those of the evidence that are
 *  whole. */
export function readAuditEnds(entries: readonly ReadEntry[]): {
  readonly begin: AuditBegin | undefined
  readonly ends: readonly ChainEnd[]
} {
  let begin: AuditBegin | undefined
  const ends: ChainEnd[] = []
  for (const { kind, content, number } of entries) {
    if (kind === 'begin') begin = { after: content.auditAfter, hash: '' }
    if (kind === 'audit-removed') begin = { after: content.through, hash: content.hash }
    if (kind === 'audit') {
      const { through, hash } = content
      ends.push({ number: through, hash, from: `entry ${number} of the evidence` })
    }
  }
  return { begin, ends }
}

export async function verifyAudit(
  { read }: Pick<Database, 'read'>,
  entries: readonly ReadEntry[],
  signal: AbortSignal,
): Promise<AuditCheck> {
  const known = readAuditEnds(entries)
  const head = await readChainHead(read, 'audit')
  const first = await readChainHead(read, 'audit-begin')
  const { after, hash } = known.begin ?? { after: first.number, hash: '' }
  const ends = known.ends.filter(({ number }) => number > after)
  if (head.number > after)
    ends.push({ number: head.number, hash: head.hash, from: 'the end of the chain' })
  const check = new LinkCheck('audit', { after, afterHash: hash, ends })
  let last = after
  let count = 0
  for await (const row of readAuditRows(read, after)) {
    signal.throwIfAborted()
    check.add(linkOf(row))
    count += 1
    last = row.id
  }
  check.end()
  return { findings: check.findings, entries: count, through: last }
}

/** Behind the entry `after`, by rising number. */
export async function* readAuditRows(
  db: Database['read'],
  after: number,
): AsyncGenerator<AuditRow> {
  let last = after
  for (;;) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const row of rows) {
      last = Number(row.id)
      const userId = row.user_id === null ? null : Number(row.user_id)
      yield { ...row, id: last, at_ms: Number(row.at_ms), user_id: userId }
    }
    if (rows.length < PAGE) return
  }
}

export function linkOf(row: AuditRow) {
  const { previous, hash } = row
  return { number: Number(row.id), previous, hash, own: hashAuditEntry(previous ?? '', row) }
}
