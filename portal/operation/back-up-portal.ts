// A backup of a portal on SQLite while it works (docs/decisions/0078): its database as of one
// moment, the objects that rows of it name, and the key file. It lies as the portal's folder does.
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../infra/clock.ts'
import { DATABASE_FILE } from '../../infra/database/database-file.ts'
import { vacuumInto } from '../../infra/database/sqlite-copy.ts'
import { openObjects } from '../../infra/objects/open.ts'
import type { ObjectStore } from '../../infra/objects/port.ts'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { openPortalDatabase } from '../database/open.ts'

/** As often as an attachment may be taken away between its row's copy and its own. */
const TRIES = 10

export type PortalBackup = { readonly path: string; readonly objects: number }

/** `directory`: where backups lie; what has the name is whole. Fails with backup.failed and as the
 *  engines do; then nothing is left. */
export async function backUpPortal(of: {
  readonly folder: string
  readonly directory: string
  readonly objects: ObjectStore
  readonly clock: Clock
}): Promise<PortalBackup> {
  const { folder, directory, objects, clock } = of
  const stamp = new Date(clock.nowMs()).toISOString().replaceAll(/[:.]/g, '-')
  const path = join(directory, `portal-${stamp}`)
  const draft = join(directory, `.portal-${stamp}.part`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  try {
    for (let tried = 1; tried <= TRIES; tried += 1) {
      await rm(draft, { recursive: true, force: true })
      await mkdir(draft, { mode: 0o700 })
      await vacuumInto(folder, join(draft, DATABASE_FILE))
      for (const entry of await readdir(folder, { withFileTypes: true }))
        if (entry.isFile() && !entry.name.startsWith(DATABASE_FILE))
          await copyFile(join(folder, entry.name), join(draft, entry.name))
      const copied = await copyNamed(draft, objects, clock)
      if (copied === undefined) continue
      await flush(draft)
      await rename(draft, path)
      // Its name, too, survives a power cut.
      await flushFolder(directory)
      return { path, objects: copied }
    }
    throw new Failure('backup.failed', { reason: 'attachments are taken away all the time' })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Undefined: one was taken away since the moment of the database. */
async function copyNamed(
  draft: string,
  objects: ObjectStore,
  clock: Clock,
): Promise<number | undefined> {
  const copy = await openObjects({ url: undefined, folder: join(draft, 'objects'), clock })
  const database = await openPortalDatabase({ folder: draft, clock })
  try {
    const rows = await database.read.selectFrom('offer_attachments').select('object_key').execute()
    for (const { object_key: key } of rows) await copy.put(key, await objects.get(key))
    return rows.length
  } catch (error) {
    if (isFailure(error) && error.code === 'object_store.missing') return undefined
    throw error
  } finally {
    await database.close()
  }
}

/** What rename makes whole is on disk; of its objects the store has seen to that. */
async function flush(draft: string): Promise<void> {
  for (const entry of await readdir(draft, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = await openIfThere(join(draft, entry.name))
    await file?.sync().finally(() => file.close())
  }
  await flushFolder(draft)
}

/** A database that was just closed may take its files beside it away a moment later. */
async function openIfThere(path: string) {
  try {
    return await open(path, 'r+')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
