// Whether a backup is whole: its manifest, each file's length and digest, and what they say of each
// other. Changes nothing.
import { lstat, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import { DATABASE_FILE } from '../database/database-file.ts'
import { MIGRATIONS } from '../database/migrate.ts'
import { DATA_FORMAT } from '../supervisor/data-format.ts'
import { BLOCKS_FILE, MANIFEST_FILE } from './backup-layout.ts'
import { readBlockFile } from './block-file.ts'
import { digestFile } from './copy-file.ts'
import { type BackupFile, type Manifest, parseManifest } from './manifest.ts'

/** Fails with backup.damaged, which names the file. */
export async function verifyBackup(
  backup: string,
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>,
): Promise<Manifest> {
  const manifest = await readManifest(backup)
  const { head } = manifest
  const newer =
    head.dataFormat > DATA_FORMAT || head.databaseNumber > (MIGRATIONS.at(-1)?.number ?? 0)
  if (newer)
    throw damaged(`version ${head.version} of the product made it, which is newer than this one`)
  requireNothingBelowLinks(manifest)
  const { signal } = new AbortController()
  for (const entry of manifest.entries) {
    if ('link' in entry) requireInside(entry.path, entry.link)
    else await verifyFile(backup, entry, { signal, clock, isHasty: true })
  }
  for (const path of [BLOCKS_FILE, DATABASE_FILE])
    if (!manifest.entries.some((entry) => entry.path === path)) throw damaged(`${path} is missing`)
  await verifyBlocks(backup, manifest)
  return manifest
}

async function readManifest(backup: string): Promise<Manifest> {
  const path = join(backup, MANIFEST_FILE)
  try {
    return parseManifest(await readFile(path, 'utf8'))
  } catch (error) {
    if (!isMissing(error)) throw error
    throw damaged(`${path} is missing: it is no backup, or was not finished`)
  }
}

async function verifyFile(
  backup: string,
  { path, bytes, sha256 }: BackupFile,
  around: Parameters<typeof digestFile>[1],
): Promise<void> {
  const file = join(backup, path)
  let found: { readonly bytes: number; readonly sha256: string }
  try {
    const facts = await lstat(file)
    if (!facts.isFile()) throw damaged(`${path} is no file`)
    if (facts.size !== bytes) throw damaged(`${path} has ${facts.size} bytes in place of ${bytes}`)
    found = await digestFile(file, around)
  } catch (error) {
    if (isMissing(error)) throw damaged(`${path} is missing`)
    throw error
  }
  if (found.sha256 !== sha256) throw damaged(`${path} is not as it was written`)
}

async function verifyBlocks(backup: string, { head }: Manifest): Promise<void> {
  const at = head.partitions.map(({ next }) => next)
  for await (const { partition, offset } of readBlockFile(join(backup, BLOCKS_FILE))) {
    if (at[partition] !== offset) throw damaged(`${BLOCKS_FILE} has a gap before ${offset}`)
    at[partition] = offset + 1
  }
  if (head.partitions.some(({ end }, partition) => at[partition] !== end))
    throw damaged(`${BLOCKS_FILE} does not hold all blocks`)
}

/** A link must stay where it is restored. It goes up at its beginning alone: after the name of
 *  another link `..` would lead up from where that one leads to. */
function requireInside(path: string, link: string): void {
  const levels = dirname(path).split('/').length
  const names = link.split('/')
  const ups = names.findIndex((level) => level !== '..')
  const isPlain = ups >= 0 && names.slice(ups).every((level) => level !== '' && level !== '..')
  if (!isPlain || ups >= levels) throw damaged(`the link ${path} leaves the backup`)
}

/** What lies below a link would be written to where the link leads. */
function requireNothingBelowLinks({ entries }: Manifest): void {
  const links = new Set(entries.flatMap((entry) => ('link' in entry ? [entry.path] : [])))
  for (const { path } of entries)
    for (let at = dirname(path); at !== '.'; at = dirname(at))
      if (links.has(at)) throw damaged(`${path} lies below the link ${at}`)
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
  )
}

function damaged(reason: string): Failure {
  return new Failure('backup.damaged', { reason })
}
