// The manifest of a backup: a line that says what it is, a line for each file and link, and a last
// line with the digest of all before it. A backup without a whole one is none.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Failure } from '../../schemas/failures.ts'
import { MANIFEST_FILE } from './backup-layout.ts'

/** Raised when an older program could not restore what this one writes. */
export const BACKUP_FORMAT = 1

const whole = z.number().int().min(0)
const digest = z.string().regex(/^[0-9a-f]{64}$/)
/** Relative, downwards only. */
const path = z
  .string()
  .min(1)
  .refine((text) => isInside(text), 'leaves the backup')

const headSchema = z.strictObject({
  format: whole,
  /** Of the product. */
  version: z.string(),
  /** Of the data directory. */
  dataFormat: whole,
  /** Number of the last migration of the database. */
  databaseNumber: whole,
  madeMs: whole,
  /** Of each partition of the event log: everything below `next` is in the store's part, everything
   *  from there up to `end` in the blocks. */
  partitions: z.array(z.strictObject({ next: whole, end: whole, metadata: z.string() })),
  /** Rows of the store's table of events. */
  events: whole,
})
export type BackupHead = z.infer<typeof headSchema>

const entrySchema = z.union([
  z.strictObject({ path, bytes: whole, sha256: digest }),
  z.strictObject({ path, link: z.string() }),
])
export type BackupEntry = z.infer<typeof entrySchema>
export type BackupFile = Extract<BackupEntry, { bytes: number }>

export type Manifest = { readonly head: BackupHead; readonly entries: readonly BackupEntry[] }

export function printManifest({ head, entries }: Manifest): string {
  const lines = [head, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('')
  return `${lines}${JSON.stringify({ lines: entries.length + 1, sha256: sha256Of(lines) })}\n`
}

/** Fails with backup.damaged, which names the file, or says that a newer program made it. */
export function parseManifest(text: string): Manifest {
  const body = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)
  const lines = body.split('\n').slice(0, -1).map(parseJson)
  const end = z
    .strictObject({ lines: whole, sha256: digest })
    .safeParse(parseJson(text.slice(body.length)))
  const isWhole = end.success && end.data.lines === lines.length
  if (!isWhole || !text.endsWith('\n') || end.data.sha256 !== sha256Of(body)) throw notWhole()
  const format = z.object({ format: whole }).safeParse(lines[0])
  if (!format.success) throw notWhole()
  if (format.data.format > BACKUP_FORMAT) {
    const reason = `a newer version of the product made it (format ${format.data.format}, this one knows ${BACKUP_FORMAT})`
    throw new Failure('backup.damaged', { reason })
  }
  const head = headSchema.safeParse(lines[0])
  const entries = z.array(entrySchema).safeParse(lines.slice(1))
  if (!head.success || !entries.success) throw notWhole()
  return { head: head.data, entries: entries.data }
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function notWhole(): Failure {
  return new Failure('backup.damaged', { reason: `its file ${MANIFEST_FILE} is not whole` })
}

function isInside(text: string): boolean {
  if (text.startsWith('/') || text.includes('\0') || text.includes('\\')) return false
  return text.split('/').every((level) => level !== '' && level !== '.' && level !== '..')
}
