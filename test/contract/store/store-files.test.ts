// Where bodies of inserts go, and what a full disk does to the store.
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../../infra/store/server/memory-files.ts'
import { missing, missingEvenInCi } from '../../support/run/missing.ts'
import { execFileSync } from '../../support/run/run-sync.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { waitUntil } from '../../support/run/wait-until.ts'
import { startEmbeddedStore } from '../../support/store/embedded-store.ts'
import { failureOf } from '../../support/store/store-variants.ts'
import { eventsInsert } from '../../support/store/stored-event.ts'

const made: string[] = []
const makeDirectory = () => {
  const path = mkdtempSync(join(tmpdir(), 'logeye-test-files-'))
  made.push(path)
  return path
}
afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})

describe('files for inserts', () => {
  const body = () => Readable.from([Buffer.from('abc'), Buffer.from('def')])

  it('lie in shared memory while there is room, and are gone when removed', async () => {
    const shared = makeDirectory()
    const files = new MemoryFiles(join(makeDirectory(), 'inserts'), shared)
    const file = await files.write(body(), 6, 100)
    expect(file.path.startsWith(shared)).toBe(true)
    expect(readFileSync(file.path, 'latin1')).toBe('abcdef')
    await file.remove()
    expect(existsSync(file.path)).toBe(false)
  })

  it.each([
    ['there is no shared memory', () => '/no/such/directory', 6],
    ['it is too small', makeDirectory, Number.MAX_SAFE_INTEGER],
  ])('lie under the data directory when %s', async (_, root, bytes) => {
    const fallback = join(makeDirectory(), 'inserts')
    const file = await new MemoryFiles(fallback, root()).write(body(), bytes, 100)
    expect(file.path.startsWith(fallback)).toBe(true)
    expect(readFileSync(file.path, 'latin1')).toBe('abcdef')
  })

  it('a body that is too long or breaks off leaves none', async () => {
    const shared = makeDirectory()
    const files = new MemoryFiles(join(makeDirectory(), 'inserts'), shared)
    await expect(files.write(body(), 6, 5)).rejects.toThrow()
    const broken = () =>
      Readable.from(
        (function* () {
          yield Buffer.from('abc')
          throw new Error('gone')
        })(),
      )
    // Many at once: a file that is opened late would be made after it was removed.
    const writes = Array.from({ length: 200 }, () =>
      expect(files.write(broken(), 6, 100)).rejects.toThrow('gone'),
    )
    await Promise.all(writes)
    const left = readdirSync(shared, { recursive: true, withFileTypes: true })
    expect(left.filter((entry) => entry.isFile())).toEqual([])
  })
})

const noDisk = missing(() => true, 'mount') ?? missingEvenInCi(canMount(), 'mounting needs root')

describeUnless(noDisk, 'a full disk', () => {
  it('refuses inserts with its reason, searches go on, and with room again all goes on', async () => {
    const disk = makeDirectory()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk])
    const embedded = await startEmbeddedStore({ dataDir: join(disk, 'data') })
    try {
      const { store } = embedded
      const insert = (offset: number) =>
        eventsInsert(
          `full-${offset}`,
          Array.from({ length: 2000 }, (_, i) => ({ message: `event ${i}` })),
          offset,
        )
      const count = async () => (await store.query({ sql: 'SELECT count() AS n FROM events' }))[0]
      await store.insertNative(insert(0))
      fill(join(disk, 'ballast'))
      for (let i = 1; i < 4; i++)
        expect(await failureOf(store.insertNative(insert(i * 10_000)))).toBe('store.no_space')
      expect(await count()).toEqual({ n: '2000' })
      rmSync(join(disk, 'ballast'))
      await store.insertNative(insert(50_000))
      expect(await count()).toEqual({ n: '4000' })
      fill(join(disk, 'ballast'))
      await embedded.kill9()
      await embedded.restart()
      expect(await count()).toEqual({ n: '4000' })
      rmSync(join(disk, 'ballast'))
      await store.insertNative(insert(60_000))
      expect(await count()).toEqual({ n: '6000' })
    } finally {
      await embedded.stop()
      await waitUntil('nothing uses the disk', () => runsWell('umount', [disk]))
    }
  })
})

/** To the last byte. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  const chunk = Buffer.alloc(65_536)
  try {
    for (let size = chunk.length; size > 0; ) {
      try {
        if (writeSync(file, chunk, 0, size) === 0) size = 0
      } catch {
        size = Math.floor(size / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}

function canMount(): boolean {
  const path = mkdtempSync(join(tmpdir(), 'logeye-test-mount-'))
  try {
    return (
      runsWell('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]) &&
      runsWell('umount', [path])
    )
  } finally {
    rmSync(path, { recursive: true, force: true })
  }
}

function runsWell(program: string, given: readonly string[]): boolean {
  try {
    execFileSync(program, [...given], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
