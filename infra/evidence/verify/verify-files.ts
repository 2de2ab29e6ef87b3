// Reads the files of the store's parts against the engine's own checksums: what was changed where
// no row shows it (indexes, marks), and the files that stand in none of them.
import type { Store } from '../../store/port.ts'
import type { Finding } from '../check-links.ts'
import { findChangedParts } from './verify-small-files.ts'

const TABLES = ['events', 'counts', 'gone', 'idempotency'] as const
const PART_MS = 600_000

type Part = { table: string; name: string; partition: string; rows: string }

/** On one server: which parts of a cluster are asked, the engine chooses. */
export async function verifyFiles(
  store: Pick<Store, 'query'>,
  signal: AbortSignal,
): Promise<{ readonly findings: readonly Finding[]; readonly parts: number }> {
  const parts = await store.query<Part>({
    sql: `SELECT table, name, partition, rows FROM system.parts WHERE database = currentDatabase() AND active
      AND table IN {tables: Array(String)} ORDER BY table, name`,
    params: { tables: TABLES },
    signal,
  })
  const findings: Finding[] = []
  // The first: a check writes the checksums anew where they are gone.
  const changed = await findChangedParts({ store, signal }, parts)
  for (const part of parts) {
    signal.throwIfAborted()
    if (!changed.has(part) && (await passesTwice(store, part, signal))) continue
    const { table, name, partition, rows } = part
    const unit = table === 'events' ? unitOf(partition) : {}
    const rowsExpected = Number(rows)
    const text = `files of the part ${name} of the table ${table} were changed: ${rows} rows in it`
    findings.push({ kind: 'files', ...unit, rowsExpected, text })
  }
  return { findings, parts: parts.length }
}

async function passesTwice(
  store: Pick<Store, 'query'>,
  part: Part,
  signal: AbortSignal,
): Promise<boolean> {
  const first = await check(store, part, signal)
  if (first === 'recounted') return false
  return first === 'passed' || (await check(store, part, signal)) === 'passed'
}

async function check(
  store: Pick<Store, 'query'>,
  { table, name }: Part,
  signal: AbortSignal,
): Promise<'passed' | 'failed' | 'recounted'> {
  try {
    const [row] = await store.query<{ is_passed: number; message: string }>({
      sql: `CHECK TABLE ${table} PART '${name}'`,
      timeoutMs: PART_MS,
      signal,
    })
    // No row: it is no more.
    if (row === undefined) return 'passed'
    if (row.is_passed !== 1) return 'failed'
    // Its checksums were gone, and were made anew of what is there.
    return row.message.startsWith('Checksums recounted') ? 'recounted' : 'passed'
  } catch (error) {
    if (signal.aborted) throw error
    const there = await store.query({
      sql: 'SELECT name FROM system.parts WHERE database = currentDatabase() AND active AND table = {table: String} AND name = {name: String}',
      params: { table, name },
      signal,
    })
    return there.length === 0 ? 'passed' : 'failed'
  }
}

function unitOf(partition: string): { policy?: number; day?: number } {
  const [policy, date] = partition.replace(/[()]/g, '').split(',').map(Number)
  if (policy === undefined || date === undefined) return {}
  const time = Date.UTC(Math.floor(date / 10_000), (Math.floor(date / 100) % 100) - 1, date % 100)
  return { policy, day: time / 86_400_000 }
}
