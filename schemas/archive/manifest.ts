// The object `manifest.json` of an archive (docs/decisions/0108): written last, so an archive with
// one is whole.
import { z } from 'zod'

export const ARCHIVE_FORMAT = 1
export const MANIFEST = 'manifest.json'
/** Of objects, by node:crypto's names. */
export const ARCHIVE_CHECKSUMS = ['md5', 'sha1', 'sha256'] as const

const count = z.number().int().nonnegative()

export const archivedLogSchema = z.object({
  id: z.number().int(),
  /** Levels from the root, its name last; [] where the log is not known any more. */
  path: z.array(z.string()),
  events: count,
  bytes: count,
  /** Times of its first and last event, epoch milliseconds. */
  fromMs: z.number(),
  toMs: z.number(),
})
export type ArchivedLog = Readonly<z.infer<typeof archivedLogSchema>>

export const archiveManifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  entry: z.string().regex(/^archive-\d{1,15}-[0-9a-f]{1,32}$/),
  policy: z.object({ id: z.number().int(), name: z.string() }),
  /** Day of receipt, UTC, counted from 1970; `date` says the same for people. */
  day: count,
  date: z.string(),
  writtenAt: z.string(),
  events: count,
  /** Of the events as they were received. */
  bytes: count,
  /** Order-independent, of schemas/archive/digest.ts: decimal. */
  digest: z.object({ places: z.string() }),
  /** Of the ledger, when it was written. */
  ledger: z.object({ received: count, gone: z.number().int() }),
  /** What each object holds, in this order: format Native of ClickHouse, packed by zstd. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  checksum: z.enum(ARCHIVE_CHECKSUMS),
  objects: z.array(
    z.object({
      name: z.string().regex(/^\d{6}\.native\.zst$/),
      events: count,
      /** Of the object. */
      bytes: count,
      checksum: z.string(),
    }),
  ),
  logs: z.array(
    archivedLogSchema.extend({
      columns: z.array(
        z.object({ name: z.string(), kind: z.enum(['text', 'number', 'bool', 'id']) }),
      ),
    }),
  ),
})
export type ArchiveManifest = Readonly<z.infer<typeof archiveManifestSchema>>
