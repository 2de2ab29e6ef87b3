// `logeye restore <backup>`: into an empty data directory. Everything is verified before anything
// is written, and again while it is copied. A restore that was killed leaves its mark, by which no
// start takes the directory, and is run again.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../../schemas/failures.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config-schema.ts'
import { beginAnew } from '../database/sqlite-anew.ts'
import { diskReserveBytes } from '../disk-reserve.ts'
import { readDiskSpaceSync } from '../disk-space.ts'
import { fillEmbeddedEventLog } from '../event-log/open.ts'
import type { LoggedBlock } from '../event-log/port.ts'
import { lockDataDir } from '../supervisor/data-dir-lock.ts'
import { BACKUPS_DIRECTORY, BLOCKS_FILE, UNFINISHED_FILE } from './backup-layout.ts'
import { readBlockFile } from './block-file.ts'
import { copyFile, syncDirectory } from './copy-file.ts'
import type { Manifest } from './manifest.ts'
import { refuseServers } from './refuse-servers.ts'
import { verifyBackup } from './verify-backup.ts'

/** May lie in a data directory that counts as empty. */
const NO_CONTENT = [BACKUPS_DIRECTORY, 'lost+found', 'supervisor.lock']
const KEPT_FILES =
  'The certificate and the key file of secrets, unless they lie in the data directory, and the process configuration are not part of a backup.'

/** Nobody else can say it. */
const OF_LATER =
  'What was decided after it is not in it: delete again what was deleted, and set again the legal holds that were set. Limits of storage and archives take effect ten minutes after the first start.'

type Asked = { readonly backup: string; readonly isDryRun: boolean }

/** Resolves with what was done. Fails with backup.damaged, backup.not_restored,
 *  start.data_dir_taken. */
export async function restoreBackup(
  config: Config,
  { backup: given, isDryRun }: Asked,
  clock: Clock,
): Promise<string> {
  const backup = resolve(given)
  const { dataDir } = config
  refuseServers(config, (reason) => new Failure('backup.not_restored', { reason }))
  requireOutside(backup, resolve(dataDir))
  if (isDryRun) {
    requireEmpty(dataDir)
    const manifest = await verifyBackup(backup, clock)
    return `${describe(manifest)} It is whole and can be restored into ${dataDir}. Nothing was written.`
  }
  const lock = lockDataDir(dataDir)
  try {
    requireEmpty(dataDir)
    const manifest = await verifyBackup(backup, clock)
    requireRoom(config, manifest)
    await write(config, backup, manifest, clock)
    return `${describe(manifest)} It is restored into ${dataDir}. Run 'logeye start'. ${KEPT_FILES} ${OF_LATER}`
  } finally {
    lock.release()
  }
}

/** What an earlier try left is removed; a backup among it would go, too. */
function requireOutside(backup: string, dataDir: string): void {
  const [first = ''] = relative(dataDir, backup).split(sep)
  if (first === '..' || isAbsolute(first) || first === BACKUPS_DIRECTORY) return
  const reason = `${backup} lies in the data directory: move it out of ${dataDir}, or into ${join(dataDir, BACKUPS_DIRECTORY)}`
  throw new Failure('backup.not_restored', { reason })
}

function requireEmpty(dataDir: string): void {
  if (!existsSync(dataDir) || existsSync(join(dataDir, UNFINISHED_FILE))) return
  const content = readdirSync(dataDir).filter((name) => !NO_CONTENT.includes(name))
  if (content.length === 0) return
  const reason = `${dataDir} is not empty (${content.slice(0, 3).join(', ')}): set LOGEYE_DATA_DIR to a new directory`
  throw new Failure('backup.not_restored', { reason })
}

function requireRoom({ dataDir, listener }: Config, { entries }: Manifest): void {
  const wanted = entries.reduce((sum, entry) => sum + ('bytes' in entry ? entry.bytes : 0), 0)
  const { freeBytes, totalBytes } = readDiskSpaceSync(dataDir)
  const reserve = diskReserveBytes(totalBytes, listener.diskReserveBytes)
  // What an earlier try left is removed first.
  if (freeBytes >= wanted + reserve || existsSync(join(dataDir, UNFINISHED_FILE))) return
  const [needed, free] = [wanted + reserve, freeBytes].map((it) => `${Math.ceil(it / 1e6)} MB`)
  const reason = `${dataDir} has ${free} free and ${needed} are needed, with the reserve of the disk`
  throw new Failure('backup.not_restored', { reason })
}

async function write(
  { dataDir, eventLog: limits }: Config,
  backup: string,
  { head, entries }: Manifest,
  clock: Clock,
): Promise<void> {
  const mark = join(dataDir, UNFINISHED_FILE)
  writeFileSync(mark, `${backup}\n`, { mode: 0o640, flush: true })
  await syncDirectory(dataDir)
  try {
    for (const name of await readdir(dataDir)) {
      if (NO_CONTENT.includes(name) || name === UNFINISHED_FILE) continue
      await rm(join(dataDir, name), { recursive: true, force: true })
    }
    const { signal } = new AbortController()
    const directories = new Set<string>()
    for (const entry of entries) {
      if (entry.path === BLOCKS_FILE) continue
      const to = join(dataDir, entry.path)
      for (let at = dirname(to); at !== dataDir; at = dirname(at)) directories.add(at)
      await mkdir(dirname(to), { recursive: true, mode: 0o750 })
      if ('link' in entry) {
        await symlink(entry.link, to)
        continue
      }
      const { sha256 } = await copyFile(join(backup, entry.path), to, {
        signal,
        clock,
        isHasty: true,
      })
      if (sha256 === entry.sha256) continue
      throw new Failure('backup.damaged', { reason: `${entry.path} changed meanwhile` })
    }
    beginAnew(dataDir)
    const partitions = head.partitions.map(({ next, end, metadata }) => ({
      end,
      position: { next, metadata },
    }))
    await fillEmbeddedEventLog({ dataDir, clock, ...limits }, partitions, (partition) =>
      blocksOf(backup, partition),
    )
    for (const name of await readdir(join(dataDir, 'event-log')))
      await syncDirectory(join(dataDir, 'event-log', name))
    for (const path of [...directories, join(dataDir, 'event-log'), dataDir])
      await syncDirectory(path)
  } catch (error) {
    throw toFailure(error, dataDir)
  }
  rmSync(mark)
  await syncDirectory(dataDir)
}

async function* blocksOf(backup: string, partition: number): AsyncGenerator<LoggedBlock> {
  for await (const block of readBlockFile(join(backup, BLOCKS_FILE)))
    if (block.partition === partition) yield block
}

function describe({ head, entries }: Manifest): string {
  const { version, madeMs, events, partitions } = head
  const blocks = partitions.reduce((sum, { next, end }) => sum + end - next, 0)
  const waiting = blocks === 0 ? '' : ` and ${blocks} blocks that were not stored yet`
  const at = new Date(madeMs).toISOString()
  return `A backup of ${at} by version ${version}: ${entries.length} files, ${events} stored events${waiting}.`
}

function toFailure(error: unknown, dataDir: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!/^E[A-Z]+$/.test(code)) return error
  const reason = `${dataDir} cannot be written (${code}); when that is mended, run the command again`
  return new Failure('backup.not_restored', { reason }, error)
}
