// Objects of an archive: read whole, with their checksum.
import { createHash } from 'node:crypto'
import type { ObjectStore } from '../../infra/objects/port.ts'
import {
  type ArchiveManifest,
  archiveManifestSchema,
  MANIFEST,
} from '../../schemas/archive/manifest.ts'
import { Failure } from '../../schemas/failures.ts'
import { printDay } from '../../schemas/keep/store-damage.ts'

/** A manifest names at most some thousand objects and the columns of every log. */
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024
const MAX_OBJECT_BYTES = 1024 * 1024 * 1024
const A_PAGE = 1000

export function keyOf({ day, entry }: { day: number; entry: string }, name: string): string {
  return `${printDay(day) ?? 'no-day'}/${entry}/${name}`
}

/** Fails with archive.damaged and object_store.*. */
export async function readManifest(
  objects: ObjectStore,
  archive: { readonly day: number; readonly entry: string; readonly checksum: string },
): Promise<ArchiveManifest> {
  const bytes = await readObject(objects, keyOf(archive, MANIFEST), MAX_MANIFEST_BYTES)
  const isKnown = archive.checksum === '' || hashOf('sha256', bytes) === archive.checksum
  const manifest = isKnown ? parseManifest(bytes) : undefined
  if (manifest?.entry !== archive.entry)
    throw new Failure('archive.damaged', { what: 'its manifest is not the one that was written' })
  return manifest
}

function parseManifest(bytes: Buffer): ArchiveManifest | undefined {
  try {
    return archiveManifestSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return undefined
  }
}

/** Whole, and what was written. Fails with archive.damaged and object_store.*. */
export async function readChecked(
  objects: ObjectStore,
  archive: { readonly day: number; readonly entry: string },
  { name, bytes: size, checksum }: ArchiveManifest['objects'][number],
  algorithm: ArchiveManifest['checksum'],
): Promise<Buffer> {
  const limit = Math.min(size, MAX_OBJECT_BYTES)
  const bytes = await readObject(objects, keyOf(archive, name), limit)
  if (bytes.length !== size || hashOf(algorithm, bytes) !== checksum)
    throw new Failure('archive.damaged', { what: `the object ${name} is not what was written` })
  return bytes
}

export function hashOf(algorithm: string, bytes: Uint8Array): string {
  return createHash(algorithm).update(bytes).digest('hex')
}

/** A second time does nothing; other archives are left alone. */
export async function removeObjects(
  objects: ObjectStore,
  archive: { readonly day: number; readonly entry: string },
  signal: AbortSignal,
): Promise<void> {
  const prefix = keyOf(archive, '')
  // The manifest first: what is left is no archive then.
  await objects.delete(keyOf(archive, MANIFEST))
  for (;;) {
    signal.throwIfAborted()
    const page = await objects.list(prefix, { limit: A_PAGE })
    for (const { key } of page) await objects.delete(key)
    if (page.length < A_PAGE) return
  }
}

async function readObject(objects: ObjectStore, key: string, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  const stream = await objects.get(key)
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(pieces)
    bytes += value.length
    if (bytes > maxBytes) {
      await reader.cancel()
      throw new Failure('archive.damaged', { what: 'an object is larger than what was written' })
    }
    pieces.push(value)
  }
}
