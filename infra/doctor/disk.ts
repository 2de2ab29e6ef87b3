// The disk of the data directory: room, speed, and who may read what lies there.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { formatByteSize } from '../../schemas/byte-size.ts'
import { diskReserveBytes } from '../disk-reserve.ts'
import { readDiskSpace } from '../disk-space.ts'
import { bad, type Examination, type Finding, ok, warn } from './check.ts'

const SYNCS = 9
/** A flush of a disk with a cache that survives a power cut takes well below a millisecond, one of
 *  a plain SSD some, one of a turning disk about 15. */
const SLOW_SYNC_MS = 30
const OTHERS_MAY_READ = 0o007

export async function checkDiskSpace({ config }: Examination): Promise<readonly Finding[]> {
  const { freeBytes, totalBytes } = await readDiskSpace(config.dataDir)
  const reserve = diskReserveBytes(totalBytes, config.listener.diskReserveBytes)
  const free = `${formatByteSize(freeBytes)} of ${formatByteSize(totalBytes)} are free`
  if (freeBytes < reserve)
    return bad(
      `${free}, less than the reserve of ${formatByteSize(reserve)}: events are refused with 500`,
      'make room on the disk, or give the data directory a larger one; events are taken again by themselves',
    )
  if (freeBytes < 3 * reserve)
    return warn(
      `${free}; below ${formatByteSize(reserve)} events are refused, below twice as much searches stop`,
      'make room on the disk soon',
    )
  return ok(free)
}

/** Writes a small file of its own: each acknowledged event waits for such a flush. */
export async function checkDiskSpeed({ config, clock }: Examination): Promise<readonly Finding[]> {
  const path = join(config.dataDir, `.doctor-${process.pid}`)
  const tookMs: number[] = []
  try {
    const file = await open(path, 'w', 0o600)
    try {
      for (let i = 0; i < SYNCS; i++) {
        const begun = clock.elapsedMs()
        await file.write(Buffer.alloc(4096, i))
        await file.sync()
        tookMs.push(clock.elapsedMs() - begun)
      }
    } finally {
      await file.close()
      rmSync(path, { force: true })
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return bad(
      `nothing can be written into ${config.dataDir} (${code})`,
      'give the user of the product the right to write there, or make room',
    )
  }
  const typical = tookMs.sort((a, b) => a - b)[Math.floor(SYNCS / 2)] ?? 0
  const text = `a flush to the disk takes ${typical.toFixed(1)} ms`
  if (typical > SLOW_SYNC_MS)
    return warn(
      `${text}; each answer to a sender waits for one`,
      'put the data directory on a quicker disk, or one that other programs do not keep busy',
    )
  return ok(text)
}

/** Keys and databases are for the user of the product alone. */
export function checkPermissions({ config }: Examination): readonly Finding[] {
  if (process.platform === 'win32') return []
  const open = [
    config.dataDir,
    ...readdirSync(config.dataDir).map((it) => join(config.dataDir, it)),
  ]
    .filter((path) => isOpen(path))
    .map((path) => path.slice(config.dataDir.length + 1) || '.')
  // Nobody gets through a directory that is closed.
  if (!open.includes('.') || open.length === 1) return ok('nobody else can read the data directory')
  const shown = open.filter((it) => it !== '.').slice(0, 5)
  return warn(
    `every user of this machine can read ${shown.join(', ')} in ${config.dataDir}`,
    `chmod -R o-rwx ${config.dataDir}`,
  )
}

function isOpen(path: string): boolean {
  try {
    return (statSync(path).mode & OTHERS_MAY_READ) !== 0
  } catch {
    return false
  }
}
