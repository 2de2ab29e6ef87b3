// Where a campaign's data lies. With root: an ext4 image of its own, which can be full to the last
// byte and whose power can be cut, since what was not flushed is not in the image. Without: a
// directory, and the disk is full for ingest only, by the configured reserve.
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDiskSpaceSync } from '../../../infra/disk-space.ts'
import { execFileSync } from '../../../test/support/run/run-sync.ts'

const IMAGE_BYTES = 4 * 2 ** 30
/** How much a fault takes of a disk that belongs to others too. */
const ROOM_BYTES = 2 * 2 ** 30
const UNMOUNT_ATTEMPTS = 100
const FILLERS = 4

export type Place = {
  readonly dataDir: string
  readonly canLosePower: boolean
  /** For each start of the product. */
  environment(): Record<string, string>
  fill(): void
  free(): void
  /** While every process stands still: what is on the disk now. */
  copy(): void
  /** When every process has ended: the copy takes the place of what was written since. */
  swap(): void
  remove(options: { keepData: boolean }): void
}

export function openPlace(options: { isImageWanted: boolean }): Place {
  const directory = mkdtempSync(join(tmpdir(), 'logeye-campaign-'))
  const image = options.isImageWanted ? openImage(directory) : undefined
  return image ?? openDirectory(directory)
}

function openDirectory(directory: string): Place {
  const filler = join(directory, 'filler')
  const freeBytes = () => readDiskSpaceSync(directory).freeBytes
  let reserve = 0
  return {
    dataDir: join(directory, 'data'),
    canLosePower: false,
    environment: () => {
      reserve = Math.max(0, freeBytes() - ROOM_BYTES)
      return { LOGEYE_LISTENER_DISK_RESERVE_BYTES: String(reserve) }
    },
    // Others write there too: a little more than is needed.
    fill: () => allocate(filler, Math.min(2 * ROOM_BYTES, freeBytes() - reserve + ROOM_BYTES / 8)),
    free: () => rmSync(filler, { force: true }),
    copy: () => undefined,
    swap: () => undefined,
    remove: ({ keepData }) => {
      rmSync(filler, { force: true })
      if (!keepData) rmSync(directory, { recursive: true, force: true })
      else console.log(`kept: ${directory}`)
    },
  }
}

/** Undefined where images cannot be mounted. */
function openImage(directory: string): Place | undefined {
  const image = join(directory, 'disk.img')
  const copied = `${image}.cut`
  const mountPoint = join(directory, 'disk')
  const fillers = Array.from({ length: FILLERS }, (_, n) => join(mountPoint, `filler${n}`))
  // A long interval: the journal is written by flushes, not by time.
  const mount = () =>
    execFileSync('mount', ['-o', 'loop,commit=600', image, mountPoint], { stdio: 'pipe' })
  const free = () => {
    for (const filler of fillers) rmSync(filler, { force: true })
  }
  try {
    mkdirSync(mountPoint)
    execFileSync('truncate', ['-s', String(IMAGE_BYTES), image])
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', image], { stdio: 'pipe' })
    mount()
  } catch {
    rmSync(image, { force: true })
    return undefined
  }
  return {
    dataDir: join(mountPoint, 'data'),
    canLosePower: true,
    environment: () => ({}),
    // To the last block: the file system itself needs some for the first ones.
    fill: () => {
      for (const filler of fillers) allocate(filler, readDiskSpaceSync(mountPoint).freeBytes)
    },
    free,
    copy: () => {
      execFileSync('cp', ['--sparse=always', image, copied])
    },
    swap: () => {
      unmount(mountPoint)
      renameSync(copied, image)
      mount()
      // That they were removed may not have been on the disk yet.
      free()
    },
    remove: ({ keepData }) => {
      free()
      unmount(mountPoint)
      if (!keepData) rmSync(directory, { recursive: true, force: true })
      else console.log(`kept: ${image}`)
    },
  }
}

/** Bytes that are taken without being written; less when there are less. */
function allocate(file: string, bytes: number): void {
  for (let size = Math.floor(bytes); size > 4096; size = Math.floor(size * 0.98)) {
    try {
      execFileSync('fallocate', ['-l', String(size), file], { stdio: 'pipe' })
      return
    } catch {
      rmSync(file, { force: true })
    }
  }
}

/** Threads of a killed process may hold its files for a moment after it is gone. */
function unmount(mountPoint: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      execFileSync('umount', [mountPoint], { stdio: 'pipe' })
      return
    } catch (error) {
      if (attempt === UNMOUNT_ATTEMPTS) throw error
      execFileSync('sleep', ['0.1'])
    }
  }
}
