// Where a log sync task copies to: a folder, or a bucket. A copy is seen whole or not at all.
import { createHash, type Hash } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import {
  futureRealPath,
  isClosed,
  isWithin,
  type PathRules,
} from '../../../../infra/files/path-rules.ts'
import type { S3Files } from '../../../../infra/outbound/s3-files.ts'
import type { SyncChecksum } from '../../../../schemas/task.ts'
import type { OpenFile } from '../../sources/file-source.ts'
import { LOCAL_FILES } from '../../sources/local-files.ts'
import { s3Source } from '../../sources/s3-source.ts'

const PART_BYTES = 1024 * 1024
/** In a folder that is one of ours: nothing else is written to. */
const MARK = '.logeye-sync'

export type Algorithm = SyncChecksum['algorithm']
export type Copied = { readonly size: number; readonly checksum: string }

/** Its message is for operators. */
export class RepositoryFault extends Error {}

export interface Repository {
  /** Replaces what is there. Gives what was read. */
  put(place: string, file: OpenFile, algorithm: Algorithm): Promise<Copied>
  /** Of the copy; undefined: there is none. */
  checksum(place: string, algorithm: Algorithm): Promise<string | undefined>
  /** What is not there is removed already. */
  remove(place: string): Promise<void>
}

/** Made, or taken when it is empty. Fails with RepositoryFault; then nothing was made. */
export async function openFolder(folder: string, paths: PathRules): Promise<Repository> {
  if (!folder.startsWith('/')) throw new RepositoryFault(`${folder}: must begin with /`)
  requireOpen(folder, await futureRealPath(folder), paths)
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new RepositoryFault(`${folder}: ${codeOf(error)}: it cannot be made`)
  })
  // Somebody may have put a link there in between.
  const real = await realpath(folder)
  requireOpen(folder, real, paths)
  const names = await readdir(folder)
  if (names.length > 0 && !names.includes(MARK))
    throw new RepositoryFault(`${folder}: holds other files: give a folder of its own`)
  await writeFile(join(folder, MARK), 'Copies of log sync tasks; files here are replaced.\n').catch(
    (error: unknown) => {
      throw new RepositoryFault(`${folder}: ${codeOf(error)}: it cannot be written to`)
    },
  )
  return {
    put: async (place, file, algorithm) => {
      const path = join(folder, place)
      if (!isWithin(await futureRealPath(dirname(path)), [real]))
        throw new RepositoryFault(`${path}: a link leads out of ${folder}`)
      await mkdir(dirname(path), { recursive: true })
      const draft = join(dirname(path), `.${basename(path)}.part`)
      const copied = await writeCopy(draft, file, createHash(nodeName(algorithm)))
      await rename(draft, path)
      return copied
    },
    checksum: (place, algorithm) =>
      checksumOf(() => LOCAL_FILES.open(join(folder, place)), algorithm),
    remove: (place) => rm(join(folder, place), { force: true }),
  }
}

/** A folder within the roots leads to nothing outside of them; another one was given by an
 *  administrator. */
function requireOpen(folder: string, real: string, rules: PathRules): void {
  const { copyRoots } = rules
  if (isClosed(real, rules))
    throw new RepositoryFault(`${folder}: lies among files of the product or system`)
  if (isWithin(resolve(folder), copyRoots) && !isWithin(real, copyRoots))
    throw new RepositoryFault(`${folder}: a link leads out of LOGEYE_COLLECT_COPY_ROOTS`)
}

export function openBucket(files: S3Files, prefix: string): Repository {
  const keyOf = (place: string) => (prefix === '' ? place : `${prefix}/${place}`)
  const source = s3Source(files)
  return {
    put: async (place, file, algorithm) => {
      const folder = await mkdtemp(join(tmpdir(), 'logeye-sync-'))
      try {
        const draft = join(folder, 'copy')
        const sha256 = createHash('sha256')
        const copied = await writeCopy(draft, file, createHash(nodeName(algorithm)), sha256)
        await files.put(keyOf(place), draft, sha256.digest('hex'))
        return copied
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    checksum: (place, algorithm) => checksumOf(() => source.open(`/${keyOf(place)}`), algorithm),
    remove: (place) => files.delete(keyOf(place)),
  }
}

async function writeCopy(path: string, file: OpenFile, hash: Hash, second?: Hash): Promise<Copied> {
  const copy = await open(path, 'w', 0o640)
  let size = 0
  try {
    for await (const part of partsOf(file)) {
      hash.update(part)
      second?.update(part)
      await copy.writeFile(part)
      size += part.length
    }
    await copy.sync()
  } finally {
    await copy.close()
  }
  return { size, checksum: hash.digest('hex') }
}

async function checksumOf(open: () => Promise<OpenFile>, algorithm: Algorithm) {
  const hash = createHash(nodeName(algorithm))
  let file: OpenFile
  try {
    file = await open()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    for await (const part of partsOf(file)) hash.update(part)
    return hash.digest('hex')
  } finally {
    await file.close()
  }
}

/** Up to the end that the file had when it was begun: one that grows ends, too. */
async function* partsOf(file: OpenFile): AsyncGenerator<Buffer> {
  const { size } = await file.look()
  for (let at = 0; at < size; ) {
    const buffer = Buffer.allocUnsafe(Math.min(PART_BYTES, size - at))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function nodeName(algorithm: Algorithm): string {
  return algorithm === 'MD5' ? 'md5' : 'sha1'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
