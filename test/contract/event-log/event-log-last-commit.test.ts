// The number of the last commit lies in LMDB's lock file, and a process that opens the environment
// may set it back (decision 0035): no commit takes the place of another.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { bundleProgram } from '../../support/machine/bundle-program.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { series } from '../../support/run/tier.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const SIZES = { maxBytes: 256 << 20, maxBlockBytes: 16 << 20, clock: testClock }
const LAST_AT = 8

let dataDir: string
let log: EventLog
const descriptors: number[] = []
const children = new Set<ChildProcess>()

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-last-'))
  log = await openEventLog({ dataDir, ...SIZES })
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await log.close()
  // Only now: a close of the lock file ends the locks of the process on it.
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
  rmSync(dataDir, { recursive: true, force: true })
})

/** As a process that read the head of the file `commits` commits ago, and opens it only now. */
function setBack(commits: number): void {
  descriptors.push(openSync(join(dataDir, 'event-log/partition-0/lock.mdb'), 'r+'))
  setBackOpen(commits)
}

/** As `setBack`, in the file that was open last, wherever it is now. */
function setBackOpen(commits: number): void {
  const descriptor = descriptors.at(-1) ?? -1
  const number = Buffer.alloc(8)
  readSync(descriptor, number, 0, 8, LAST_AT)
  number.writeBigUInt64LE(number.readBigUInt64LE() - BigInt(commits))
  writeSync(descriptor, number, 0, 8, LAST_AT)
}

function lastNumber(): bigint {
  const descriptor = openSync(join(dataDir, 'event-log/partition-0/lock.mdb'), 'r')
  descriptors.push(descriptor)
  const number = Buffer.alloc(8)
  readSync(descriptor, number, 0, 8, LAST_AT)
  return number.readBigUInt64LE()
}

async function texts(from = 0): Promise<string[]> {
  const blocks = await log.read(0, from, { maxBytes: 1 << 20, waitMs: 0 })
  return blocks.map(({ offset, bytes }) => `${offset} ${Buffer.from(bytes).toString()}`)
}

describe('the embedded event log', () => {
  it.for([1, 2])('keeps what was acknowledged when the number goes back by %i', async (commits) => {
    for (const text of ['a', 'b', 'c']) await log.append(0, Buffer.from(text))
    setBack(commits)
    expect(await log.append(0, Buffer.from('d'))).toBe(3)
    expect(await texts()).toEqual(['0 a', '1 b', '2 c', '3 d'])
  })

  it('keeps a saved position, and says it', async () => {
    for (const text of ['a', 'b']) await log.append(0, Buffer.from(text))
    await log.savePosition(0, { next: 1, metadata: 'first' })
    setBack(1)
    const exact = { isExact: true }
    expect(await log.position(0, exact)).toEqual({ next: 1, metadata: 'first' })
    setBack(1)
    await log.append(0, Buffer.from('c'))
    expect(await log.position(0, exact)).toEqual({ next: 1, metadata: 'first' })
    expect(await texts(1)).toEqual(['1 b', '2 c'])
  })

  it('copies all into the next file when the seal is what was set back', async () => {
    for (const text of ['a', 'b']) await log.append(0, Buffer.from(text))
    const program = await bundleProgram('test/support/event-log/event-log-rotator.ts')
    const rotator = spawn(process.execPath, [program, join(dataDir, 'event-log'), 'seal'])
    await once(rotator, 'exit')
    setBack(1)
    expect(await log.append(0, Buffer.from('c'))).toBe(2)
    expect(await texts()).toEqual(['0 a', '1 b', '2 c'])
  })

  it('ends the process when a change does not end, and takes it when it does', async () => {
    const program = await bundleProgram('test/support/event-log/event-log-holder.ts')
    const partition = join(dataDir, 'event-log/partition-0')
    const holder = spawn(process.execPath, [program, partition])
    children.add(holder)
    const state = () => readFileSync(`/proc/${holder.pid}/stat`, 'utf8').split(') ')[1]?.[0]
    await waitUntil('the holder stands still', () => state() === 'T', state)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    try {
      const appended = log.append(0, Buffer.from('waits'))
      vi.advanceTimersByTime(59_000)
      vi.advanceTimersByTime(1000)
      expect(kill.mock.calls).toEqual([[process.pid, 'SIGKILL']])
      kill.mockRestore()
      holder.kill('SIGCONT')
      expect(await appended).toBe(0)
      expect(vi.getTimerCount()).toBe(0)
    } finally {
      kill.mockRestore()
      vi.useRealTimers()
    }
  })

  it('goes on in the next file when this one was removed, its number set back', async () => {
    await log.append(0, Buffer.from('a'))
    setBack(1)
    const program = await bundleProgram('test/support/event-log/event-log-rotator.ts')
    const rotator = spawn(process.execPath, [program, join(dataDir, 'event-log'), 'remove'])
    await once(rotator, 'exit')
    setBackOpen(2)
    expect(await log.status(0)).toMatchObject({ end: 1 })
    expect(await log.append(0, Buffer.from('b'))).toBe(1)
    expect(await texts()).toEqual(['0 a', '1 b'])
  })

  it('writes into no lock file that has taken the place of its own', async () => {
    const directory = join(dataDir, 'event-log')
    await log.append(0, Buffer.from('a'))
    setBack(1)
    renameSync(directory, join(dataDir, 'moved'))
    const other = await openEventLog({ dataDir, ...SIZES })
    await other.append(0, Buffer.from('of the other'))
    const number = lastNumber()
    await expect(log.append(0, Buffer.from('lost'))).rejects.toMatchObject({
      code: expect.stringMatching(/^event_log\.(?:gone|unavailable)$/),
    })
    expect(lastNumber()).toBe(number)
    await other.close()
  })

  it('gives each block a place of its own while other processes open and close it', {
    timeout: 240_000,
  }, async () => {
    const program = await bundleProgram('test/support/event-log/event-log-opener.ts')
    for (let count = 0; count < 3; count += 1)
      children.add(spawn(process.execPath, [program, dataDir]))
    const offsets: number[] = []
    for (let number = 0; number < series(1000, 4000); number += 1)
      offsets.push(await log.append(0, Buffer.from(`block ${number}`)))
    expect(offsets).toEqual(Array.from(offsets, (_, number) => number))
    expect([...children].map(({ exitCode }) => exitCode)).toEqual([null, null, null])
  })
})
