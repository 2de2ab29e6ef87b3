// How far an import has come, kept in a file beside the imported one: an import that was stopped,
// or killed, is taken up where it was.
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { z } from 'zod'

const stateSchema = z.strictObject({
  /** Names its requests: the product stores each once. */
  id: z.string(),
  productUrl: z.string(),
  /** SHA-256 of the token: another account is another import. */
  account: z.string(),
  /** Of the first bytes, after decompression: tells another file of the same name. */
  beginsWith: z.strictObject({ bytes: z.int(), sha256: z.string() }),
  format: z.enum(['lines', 'json']),
  /** Acknowledged up to here, after decompression. */
  done: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  /** May have been stored. */
  sent: z.strictObject({ bytes: z.int(), sinceMs: z.number() }).optional(),
  isWhole: z.boolean(),
})
export type ImportState = z.infer<typeof stateSchema>

export const STATE_SUFFIX = '.logeye-import'

/** Undefined: there is none. Throws when it cannot be read. */
export function readImportState(path: string): ImportState | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  return stateSchema.parse(JSON.parse(text))
}

/** Whole or not at all, and on the disk when it returns. */
export function writeImportState(path: string, state: ImportState): void {
  const draft = `${path}.new`
  const file = openSync(draft, 'w', 0o600)
  try {
    writeSync(file, JSON.stringify(state))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, path)
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
