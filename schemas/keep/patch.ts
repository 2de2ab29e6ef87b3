// What a patch of the product says of itself (docs/decisions/0112).
import { z } from 'zod'

const count = z.number().int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The signed document at the head of the archive. */
export const patchSchema = z.object({
  type: z.literal('patch'),
  /** Rises from patch to patch: an older one is not taken. */
  number: count.min(1),
  name: z.string().min(1).max(200),
  /** Versions of the product that it is for. */
  from: z.array(z.string().max(50)).min(1).max(100),
  /** Newest migration of the database, and form of the data directory: the same as before, so that
   *  it can be taken back. */
  migration: count,
  dataFormat: count,
  /** Of the list of files. */
  manifest: sha256,
  bytes: count,
})
export type Patch = z.infer<typeof patchSchema>

/** In the order of their bytes in the archive. */
export const patchFilesSchema = z.array(
  z.object({ path: z.string().min(1).max(500), bytes: count, sha256 }),
)
export type PatchFiles = z.infer<typeof patchFilesSchema>

/** Of the whole archive; of all its files unpacked. */
export const MAX_PATCH_BYTES = 256 * 1024 * 1024
export const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024
export const MAX_PATCH_FILES = 50_000
/** The program that a patched start runs. */
export const PATCH_MAIN = 'dist/main.js'
/** Of a piece of an archive on its way to the server, before base64. */
export const PATCH_PIECE_BYTES = 384 * 1024
