// What only the embedded event log promises: it gives its disk back, and a full disk is an answer,
// not an end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openEventLog } from '../../../infra/event-log/open.ts'
import { bundleProgram } from '../../support/machine/bundle-program.ts'
import { usedBytes } from '../../support/machine/used-bytes.ts'
import { missing } from '../../support/run/missing.ts'
import { execFileSync } from '../../support/run/run-sync.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { testClock } from '../../support/run/test-clock.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'logeye-test-lmdb-'))
  closers.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

const open = (dataDir: string) =>
  openEventLog({ dataDir, maxBytes: 512 << 20, maxBlockBytes: 16 << 20, clock: testClock })

const dataFile = (dataDir: string) => join(dataDir, 'event-log', 'partition-0', 'data.mdb')

describe('the embedded event log', () => {
  it('keeps nothing of a read in the signals of its reader', async () => {
    const log = await open(makeDirectory())
    const { signal } = new AbortController()
    const read = async (count: number) => {
      for (let n = 0; n < count; n += 1) await log.read(0, 0, { maxBytes: 1, waitMs: 0, signal })
    }
    await read(1000)
    const before = await usedBytes()
    await read(20_000)
    expect((await usedBytes()) - before).toBeLessThan(1_000_000)
    await log.close()
  })

  it('counts what it holds, whether blocks were read before they are given back or not', async () => {
    const log = await open(makeDirectory())
    for (let bytes = 1; bytes <= 6; bytes += 1) await log.append(0, Buffer.alloc(bytes))
    await log.savePosition(0, { next: 1, metadata: '' })
    // Reads end at their first byte: the blocks of 2 and 3 bytes, one of them twice.
    for (const from of [1, 1, 2]) await log.read(0, from, { maxBytes: 1, waitMs: 0 })
    await log.savePosition(0, { next: 2, metadata: '' })
    expect(await log.status(0)).toMatchObject({ blocks: 4, bytes: 3 + 4 + 5 + 6 })
    await log.savePosition(0, { next: 4, metadata: '' })
    expect(await log.status(0)).toMatchObject({ blocks: 2, bytes: 5 + 6 })
    await log.savePosition(0, { next: 6, metadata: '' })
    expect(await log.status(0)).toMatchObject({ blocks: 0, bytes: 0 })
    await log.close()
  })

  it('does not grow without end while blocks come and go', async () => {
    const dataDir = makeDirectory()
    const log = await open(dataDir)
    for (let number = 0; number < 300; number += 1) {
      const offset = await log.append(0, Buffer.alloc(300_000 + number * 2000, number))
      if (number % 5 === 0) await log.savePosition(0, { next: offset + 1, metadata: '' })
    }
    await log.close()
    expect(statSync(dataFile(dataDir)).size).toBeLessThan(40 << 20)
  })

  it('does not let a killed reader hold pages for ever', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    closers.push(() => void vi.useRealTimers())
    const dataDir = makeDirectory()
    const log = await open(dataDir)
    let kept = await log.append(0, Buffer.alloc(1 << 20))
    const program = await bundleProgram('test/support/event-log/event-log-reader.ts')
    const reader = spawn(process.execPath, [program, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(reader.stdout, 'data')
    reader.kill('SIGKILL')
    await once(reader, 'exit')
    // One block is always there: an emptied log may be made anew.
    const comeAndGo = async (rounds: number) => {
      for (let round = 0; round < rounds; round += 1) {
        const offset = await log.append(0, Buffer.alloc(1 << 20, round))
        await log.savePosition(0, { next: kept, metadata: '' })
        kept = offset
      }
    }
    await comeAndGo(40)
    const heldBytes = statSync(dataFile(dataDir)).size
    expect(heldBytes, 'the reader held nothing').toBeGreaterThan(35 << 20)
    vi.advanceTimersByTime(30_000)
    await comeAndGo(60)
    expect(statSync(dataFile(dataDir)).size - heldBytes).toBeLessThan(8 << 20)
    await log.close()
  })
})

const fullDisk = 'the embedded event log on a full disk'
describeUnless(
  missing(() => true, 'mount'),
  fullDisk,
  () => {
    it.for([
      ['large', 1 << 20],
      ['small', 100_000],
    ] as const)(
      'answers event_log.full for %s blocks, loses nothing, and goes on when there is room',
      async ([, blockBytes], { skip }) => {
        const mountPoint = makeDirectory()
        try {
          execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', mountPoint], {
            stdio: 'ignore',
          })
        } catch {
          skip('mounting a small file system needs root')
        }
        closers.push(() => execFileSync('umount', ['-l', mountPoint]))
        mkdirSync(join(mountPoint, 'data'))
        const filler = join(mountPoint, 'filler')
        writeFileSync(filler, Buffer.alloc(12 << 20))
        const log = await open(join(mountPoint, 'data'))
        closers.push(() => void log.close())
        const acknowledged: number[] = []
        const failures: unknown[] = []
        for (let written = 0; written < 30 << 20; written += blockBytes) {
          await log.append(0, Buffer.alloc(blockBytes, 1)).then(
            (offset) => acknowledged.push(offset),
            (error: unknown) => failures.push(error),
          )
        }
        expect(failures.length).toBeGreaterThan(5)
        expect(failures).toEqual(
          failures.map(() => expect.objectContaining({ code: 'event_log.full' })),
        )
        const readAll = async () =>
          (await log.read(0, 0, { maxBytes: 64 << 20, waitMs: 0 })).map((block) => block.offset)
        expect(await readAll()).toEqual(acknowledged)
        rmSync(filler)
        acknowledged.push(await log.append(0, Buffer.alloc(blockBytes, 1)))
        expect(await readAll()).toEqual(acknowledged)
      },
    )
  },
)
