// Makes one backup of the embedded engines (docs/decisions/0048). Runs in the process with the
// writer.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { readVersion } from '../cli/version.ts'
import type { Clock } from '../clock.ts'
import { DATABASE_FILE } from '../database/database-file.ts'
import { MIGRATIONS } from '../database/migrate.ts'
import { copySqlite } from '../database/sqlite-copy.ts'
import { diskReserveBytes } from '../disk-reserve.ts'
import { readDiskSpace } from '../disk-space.ts'
import type { EventLog } from '../event-log/port.ts'
import type { Store } from '../store/port.ts'
import { DATA_FORMAT } from '../supervisor/data-format.ts'
import { BLOCKS_FILE, draftName, MANIFEST_FILE } from './backup-layout.ts'
import { type KeptPartition, writeBlockFile } from './block-file.ts'
import { copyFile, digestFile, syncDirectory } from './copy-file.ts'
import { type FrozenStore, freezeStore } from './freeze-store.ts'
import { BACKUP_FORMAT, type BackupEntry, type BackupFile, printManifest } from './manifest.ts'

/** A replay of rejected events takes seconds. */
const REPLAY_MS = 600_000
/** Their flushes share the turns of the disk. */
const COPIES_AT_ONCE = 4
const LOOK_EVERY_BYTES = 64 * 1024 * 1024
/** Files of a data directory that are of its processes, or copied another way. */
const NOT_KEPT = /^(?:logeye\.db|supervisor\.lock|store-|restore-unfinished|\.)|\.\d+$/

/** Holds the writer between two batches, until the returned function is called. */
export type HoldWriter = (signal: AbortSignal) => Promise<() => void>

export type BackupDeps = {
  readonly dataDir: string
  /** Where backups lie. */
  readonly directory: string
  readonly store: Pick<Store, 'command' | 'query'>
  readonly eventLog: EventLog
  readonly holdWriter: HoldWriter
  /** Of the listener; absent: the default. */
  readonly diskReserveBytes?: number | undefined
  readonly clock: Clock
}

export type BackupSummary = {
  readonly files: number
  readonly bytes: number
  /** In the store's part. */
  readonly events: number
  /** Blocks of events that were not stored yet. */
  readonly blocks: number
  /** How long the writer stood still. */
  readonly heldMs: number
}

/** Resolves when the backup is whole and on disk under its name. Fails with backup.failed and what
 *  engines fail with; then nothing of it is left. */
export async function takeBackup(
  deps: BackupDeps,
  name: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<BackupSummary> {
  const { directory, clock } = deps
  const draft = join(directory, draftName(name))
  if (existsSync(join(directory, name)))
    throw new Failure('backup.failed', { reason: `${join(directory, name)} is there` })
  const id = clock.randomBytes(8).toString('hex')
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  let frozen: FrozenStore | undefined
  try {
    const held = await holdStill(deps, draft, id, signal)
    frozen = held.frozen
    const summary = await writeOut(deps, draft, held, signal, onBytes)
    await rename(draft, join(directory, name))
    await syncDirectory(directory)
    return summary
  } catch (error) {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 })
    throw toFailure(error, directory)
  } finally {
    frozen?.remove()
  }
}

type Held = {
  readonly frozen: FrozenStore
  readonly partitions: readonly KeptPartition[]
  readonly madeMs: number
  readonly heldMs: number
}

/** The database is the last: rows and blocks name what is in it. */
async function holdStill(
  { dataDir, store, eventLog, holdWriter, clock }: BackupDeps,
  draft: string,
  id: string,
  signal: AbortSignal,
): Promise<Held> {
  const release = await holdWriter(signal)
  const beganMs = clock.elapsedMs()
  const madeMs = clock.nowMs()
  let frozen: FrozenStore | undefined
  try {
    const partitions = await writeBlockFile(join(draft, BLOCKS_FILE), eventLog)
    frozen = await freezeStore(store, dataDir, id)
    const since = { replaysSinceMs: madeMs - REPLAY_MS, storeSinceMs: madeMs }
    await copySqlite(dataDir, join(draft, DATABASE_FILE), since)
    return { frozen, partitions, madeMs, heldMs: Math.round(clock.elapsedMs() - beganMs) }
  } catch (error) {
    frozen?.remove()
    throw error
  } finally {
    release()
  }
}

async function writeOut(
  deps: BackupDeps,
  draft: string,
  { frozen, partitions, madeMs, heldMs }: Held,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<BackupSummary> {
  const { dataDir, clock } = deps
  const own = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_KEPT.test(entry.name))
    .map(({ name }) => ({
      from: join(dataDir, name),
      path: name,
      bytes: statSync(join(dataDir, name)).size,
    }))
  const files = [...own, ...frozen.files]
  const wanted = files.reduce((sum, { bytes }) => sum + bytes, 0)
  await requireRoom(deps, wanted)
  let bytes = 0
  let unlooked = 0
  const onPiece = async (piece: number) => {
    bytes += piece
    unlooked += piece
    if (unlooked < LOOK_EVERY_BYTES) return
    unlooked = 0
    onBytes(bytes)
    await requireRoom(deps, 0)
  }
  const around = { signal, clock, onPiece }
  const entries: BackupEntry[] = [...frozen.links]
  for (const path of [BLOCKS_FILE, DATABASE_FILE]) {
    await syncFile(join(draft, path))
    entries.push({ path, ...(await digestFile(join(draft, path), around)) })
  }
  const directories = new Set<string>()
  const queue = files.values()
  const failing = new AbortController()
  const together = { ...around, signal: AbortSignal.any([signal, failing.signal]) }
  const copyNext = async () => {
    for (const { from, path } of queue) {
      const to = join(draft, path)
      entries.push({ path, ...(await copyFile(from, to, together)) })
      for (let at = dirname(to); at !== draft; at = dirname(at)) directories.add(at)
    }
  }
  // Each has ended before the draft is removed.
  const copies = Array.from({ length: COPIES_AT_ONCE }, () =>
    copyNext().catch((error: unknown) => failing.abort(error)),
  )
  await Promise.all(copies)
  failing.signal.throwIfAborted()
  for (const path of directories) await syncDirectory(path)
  for (const entry of entries) if ('bytes' in entry) await requireThere(draft, entry)
  const blocks = partitions.reduce((sum, { next, end }) => sum + end - next, 0)
  const head = {
    format: BACKUP_FORMAT,
    version: readVersion(),
    dataFormat: DATA_FORMAT,
    databaseNumber: MIGRATIONS.at(-1)?.number ?? 0,
    madeMs,
    partitions: partitions.map(({ next, end, metadata }) => ({ next, end, metadata })),
    events: frozen.events,
  }
  const manifest = await open(join(draft, MANIFEST_FILE), 'wx', 0o600)
  try {
    await manifest.writeFile(printManifest({ head, entries }))
    await manifest.sync()
  } finally {
    await manifest.close()
  }
  await syncDirectory(draft)
  return { files: entries.length, bytes, events: frozen.events, blocks, heldMs }
}

/** A backup must not take what the listener keeps free. */
export async function requireRoom(
  { directory, diskReserveBytes: configured }: BackupDeps,
  bytes: number,
): Promise<void> {
  const { freeBytes, totalBytes } = await readDiskSpace(directory)
  const reserve = diskReserveBytes(totalBytes, configured)
  if (freeBytes - bytes >= reserve) return
  const [needed, free] = [bytes + reserve, freeBytes].map((it) => `${Math.ceil(it / 1e6)} MB`)
  const reason = `${directory} has ${free} free and ${needed} are needed, with the reserve of the disk`
  throw new Failure('backup.failed', { reason })
}

/** Whoever else works in the directory may have taken some of it away. */
async function requireThere(draft: string, { path, bytes }: BackupFile): Promise<void> {
  const size = await stat(join(draft, path)).then(
    (found) => found.size,
    () => undefined,
  )
  if (size === bytes) return
  const reason = `${join(draft, path)} was taken away or changed while the backup was made`
  throw new Failure('backup.failed', { reason })
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  await handle.sync().finally(() => handle.close())
}

/** What an operator can do something about. */
function toFailure(error: unknown, directory: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (isFailure(error) || !/^E[A-Z]+$/.test(code)) return error
  const reason =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? `${directory} has no room`
      : `${directory} cannot be written, or a file of the data directory cannot be read (${code})`
  return new Failure('backup.failed', { reason }, error)
}
