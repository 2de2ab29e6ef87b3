// One product a data directory. The lock file names a process by pid and time of start, so that one
// left by kill -9 is taken over, also when its pid belongs to another process today.
import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Failure, isFailure } from '../../schemas/failures.ts'
import { makeDataDir, unusable } from '../data-dir/make-data-dir.ts'

const LOCK_FILE = 'supervisor.lock'
const MAX_TRIES = 5

const holderSchema = z.object({
  pid: z.int(),
  /** Tells two processes of one pid apart; the same for the life of a process. */
  birth: z.string(),
})
type Holder = z.infer<typeof holderSchema>

export interface DataDirLock {
  /** Its last holder did not release it: processes of his may live for moments yet. */
  readonly isInherited: boolean
  release(): void
}

/** Makes the directory when it is missing. Fails with start.data_dir_taken, or start.refused when
 *  it cannot be written. */
export function lockDataDir(dataDir: string): DataDirLock {
  const path = join(dataDir, LOCK_FILE)
  const own: Holder = { pid: process.pid, birth: readBirth(process.pid) ?? '' }
  const draft = `${path}.${process.pid}`
  try {
    makeDataDir(dataDir)
    writeFileSync(draft, JSON.stringify(own), { mode: 0o640 })
  } catch (error) {
    throw isFailure(error) ? error : unusable(dataDir, error)
  }
  try {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      if (link(draft, path)) return { isInherited: tries > 0, release: () => release(path, own) }
      const holder = readHolder(path)
      if (holder !== undefined && isAlive(holder))
        throw new Failure('start.data_dir_taken', { dataDir, pid: holder.pid })
      setAside(path, holder)
    }
    throw new Failure('start.data_dir_taken', { dataDir, pid: 'unknown' })
  } catch (error) {
    throw isFailure(error) ? error : unusable(dataDir, error)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Whether a product runs on it. */
export function isDataDirHeld(dataDir: string): boolean {
  const holder = readHolder(join(dataDir, LOCK_FILE))
  return holder !== undefined && isAlive(holder)
}

/** A link is made whole or not at all, unlike a file that is opened and then written. */
function link(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Takes away the lock of a dead holder, unless another starter has done so and holds it now. */
function setAside(path: string, dead: Holder | undefined): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  const moved = readHolder(aside)
  const isOther = moved !== undefined && (moved.pid !== dead?.pid || moved.birth !== dead.birth)
  if (isOther) link(aside, path)
  rmSync(aside, { force: true })
}

function release(path: string, own: Holder): void {
  const holder = readHolder(path)
  if (holder?.pid === own.pid && holder.birth === own.birth) rmSync(path, { force: true })
}

function readHolder(path: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

function isAlive(holder: Holder): boolean {
  return readBirth(holder.pid) === holder.birth
}

/** Undefined when there is no such process. */
function readBirth(pid: number): string | undefined {
  return process.platform === 'linux' ? readBirthFromProc(pid) : readBirthFromPs(pid)
}

function readBirthFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything, so fields are counted from its end: 3 is the
    // state, 22 the start in ticks since boot.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    // A container that was replaced leaves a pid of another namespace behind.
    return `${boot} ${readlinkSync('/proc/self/ns/pid')} ${fields[19]}`
  } catch {
    return undefined
  }
}

function readBirthFromPs(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
    const printed = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 2000,
    })
    return printed.trim() || undefined
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
