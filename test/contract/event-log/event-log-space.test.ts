// The embedded event log gives its space back while it runs: a partition goes on in a smaller file.
// Whoever is killed meanwhile, and wherever, no acknowledged block is lost, none is there twice,
// and offsets go on.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../infra/clock.ts'
import {
  openCurrent,
  publishSuccessor,
  sealEnvironment,
} from '../../../infra/event-log/embedded/generations.ts'
import { checkEmbeddedEventLog, openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import { ROTATION_STEPS } from '../../support/event-log/event-log-rotator.ts'

const MAX_BYTES = 512 << 20
const MIB = 1 << 20
const ALL = { maxBytes: MAX_BYTES, waitMs: 0 }

let dataDir: string
let log: EventLog
const children = new Set<ChildProcess>()

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-space-'))
  log = await open()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
  await log.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const open = () =>
  openEventLog({ dataDir, maxBytes: MAX_BYTES, maxBlockBytes: 16 * MIB, clock: systemClock })

function run(file: string, ...args: string[]): ChildProcess {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', `test/support/event-log/${file}`, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  children.add(child)
  return child
}

/** As an owner does all the time. */
async function givingSpaceBack(work: () => Promise<void>): Promise<void> {
  const stopping = new AbortController()
  const owning = log.own(
    (_, { lost }) => new Promise((resolve) => lost.addEventListener('abort', () => resolve())),
    stopping.signal,
  )
  await work().finally(() => stopping.abort())
  await owning
}

function sizeBytes(): number {
  const directory = join(dataDir, 'event-log')
  let bytes = 0
  for (const name of readdirSync(directory)) {
    const data = statSync(join(directory, name, 'data.mdb'), { throwIfNoEntry: false })
    bytes += data?.size ?? 0
  }
  return bytes
}

async function readAll(from = 0): Promise<string[]> {
  const blocks = await log.read(0, from, ALL)
  return blocks.map(({ offset, bytes }) => `${offset} ${Buffer.from(bytes).subarray(0, 20)}`)
}

describe('the embedded event log', () => {
  it('gives its space back once it is drained, and keeps end, position and what is left', async () => {
    for (let number = 0; number < 150; number += 1)
      await log.append(0, Buffer.alloc(MIB, `${number}:`))
    expect(sizeBytes()).toBeGreaterThan(150 * MIB)
    await log.savePosition(0, { next: 148, metadata: 'kept' })
    const left = await readAll(148)
    // Another process has it open, too.
    const other = await open()
    await givingSpaceBack(async () => {
      await expect.poll(sizeBytes, { timeout: 30_000 }).toBeLessThan(64 * MIB)
    })
    expect(await readAll(148)).toEqual(left)
    expect(await log.position(0)).toEqual({ next: 148, metadata: 'kept' })
    expect(await other.append(0, Buffer.from('of the other'))).toBe(150)
    expect(await log.append(0, Buffer.from('of this one'))).toBe(151)
    expect(await other.status(0)).toEqual({ ...(await log.status(0)), end: 152, blocks: 4 })
    await other.close()
    await log.close()
    await checkEmbeddedEventLog({ dataDir, maxBytes: MAX_BYTES, clock: systemClock })
    log = await open()
    expect((await readAll(148)).slice(2)).toEqual(['150 of the other', '151 of this one'])
  })

  it('leaves a log alone that holds much', async () => {
    for (let number = 0; number < 100; number += 1)
      await log.append(0, Buffer.alloc(MIB, `${number}:`))
    await log.savePosition(0, { next: 70, metadata: '' })
    await givingSpaceBack(() => systemClock.sleep(7000))
    expect(sizeBytes()).toBeGreaterThan(100 * MIB)
    expect(await readAll(70)).toHaveLength(30)
  })

  it('does not go on in another file before the old one is sealed, nor seals one that holds much', async () => {
    for (let number = 0; number < 3; number += 1) await log.append(0, Buffer.alloc(MIB))
    const directory = join(dataDir, 'event-log')
    const place = { directory, partition: 0, maxBytes: MAX_BYTES, clock: systemClock }
    const environment = await openCurrent(place)
    expect(await sealEnvironment(environment, 2 * MIB)).toBe(false)
    await expect(publishSuccessor(place, environment, 0)).rejects.toThrow('sealed')
    expect(readdirSync(directory)).toEqual(['partition-0'])
    expect(await log.append(0, Buffer.from('x'))).toBe(3)
    expect(await sealEnvironment(environment, 4 * MIB)).toBe(true)
    expect(await sealEnvironment(environment, 4 * MIB)).toBe(false)
    await environment.retire()
    expect(await log.append(0, Buffer.from('y'))).toBe(4)
    expect(await log.status(0)).toMatchObject({ blocks: 5, bytes: 3 * MIB + 2 })
  })

  it('leaves no draft behind when the successor cannot be written, and goes on when it can', async () => {
    await log.append(0, Buffer.from('held'))
    const directory = join(dataDir, 'event-log')
    const place = { directory, partition: 0, maxBytes: MAX_BYTES, clock: systemClock }
    const environment = await openCurrent(place)
    expect(await sealEnvironment(environment, MIB)).toBe(true)
    const { getKeys } = environment.database
    environment.database.getKeys = () => {
      throw new Failure('event_log.full')
    }
    for (let tries = 0; tries < 3; tries += 1)
      await expect(publishSuccessor(place, environment, 0)).rejects.toThrow('no room')
    expect(readdirSync(directory)).toEqual(['partition-0'])
    environment.database.getKeys = getKeys
    await environment.retire()
    expect(await log.append(0, Buffer.from('behind'))).toBe(1)
    expect(await readAll()).toEqual(['0 held', '1 behind'])
  })

  it('does not say that its files are gone when the next one cannot be made', async () => {
    const directory = join(dataDir, 'event-log')
    const clock = { ...systemClock, randomBytes: (count: number) => Buffer.alloc(count) }
    const place = { directory, partition: 0, maxBytes: MAX_BYTES, clock }
    const other = await openEventLog({ dataDir, ...place, maxBlockBytes: 16 * MIB })
    const environment = await openCurrent(place)
    await sealEnvironment(environment, MIB)
    await environment.retire()
    const inTheWay = join(directory, 'partition-0-1-new-0000000000000000')
    writeFileSync(inTheWay, '')
    const failure = { code: 'event_log.unavailable', cause: { code: 'EEXIST' } }
    await expect(other.append(0, Buffer.from('x'))).rejects.toMatchObject(failure)
    rmSync(inTheWay)
    expect(await other.append(0, Buffer.from('x'))).toBe(0)
    await other.close()
  })

  it.for(ROTATION_STEPS)('goes on where a kill behind the step %s left it', async (step) => {
    for (let number = 0; number < 5; number += 1) await log.append(0, Buffer.from(`${number}`))
    await log.savePosition(0, { next: 2, metadata: 'kept' })
    const left = await readAll(2)
    for (let round = 0; round < 3; round += 1) {
      const [, signal] = await once(
        run('event-log-rotator.ts', join(dataDir, 'event-log'), step),
        'exit',
      )
      expect(signal).toBe('SIGKILL')
      // One that was open all the time, and one that opens what it finds.
      const text = `round ${round}`
      const offset = await log.append(0, Buffer.from(text))
      left.push(`${offset} ${text}`)
      const later = await open()
      left.push(`${await later.append(0, Buffer.from('later'))} later`)
      expect(await later.position(0)).toEqual({ next: 2, metadata: 'kept' })
      await later.close()
    }
    expect(await readAll(2)).toEqual(left)
    await log.close()
    await checkEmbeddedEventLog({ dataDir, maxBytes: MAX_BYTES, clock: systemClock })
    expect(readdirSync(join(dataDir, 'event-log'))).toHaveLength(1)
    log = await open()
    expect(await readAll(2)).toEqual(left)
  })

  it('loses and doubles nothing of several appenders while files change and processes are killed', {
    timeout: 120_000,
  }, async () => {
    const acknowledged = new Map<string, number>()
    let appended = 0
    const appending = ['a', 'b', 'c'].map(async (name) => {
      for (let life = 0; life < 3; life += 1) {
        const appender = run('event-log-appender.ts', dataDir, `${name}${life}`)
        let count = 0
        if (appender.stdout === null) throw new Error('no output')
        for await (const line of createInterface(appender.stdout)) {
          const [number, offset] = line.split(' ').map(Number)
          acknowledged.set(`${name}${life}:${number}:`, offset ?? -1)
          appended += 1
          count += 1
          if (count === 400) appender.kill('SIGKILL')
        }
      }
    })
    const done = Promise.all(appending).then(() => true)
    let rotations = 0
    let isOver = false
    void done.then(() => {
      isOver = true
    })
    while (!isOver) {
      const rotator = run('event-log-rotator.ts', join(dataDir, 'event-log'))
      const most = rotations + 5
      const ended = once(rotator, 'exit')
      const killedSoon = new Promise<void>((resolve) => {
        rotator.stdout?.on('data', () => {
          rotations += 1
          if (rotations === most) void systemClock.sleep((most * 7) % 40).then(resolve)
        })
      })
      await Promise.race([done, killedSoon])
      rotator.kill('SIGKILL')
      await ended
    }
    expect(rotations).toBeGreaterThan(5)
    const found = new Map<number, string>()
    for (const { offset, bytes } of await log.read(0, 0, ALL))
      found.set(offset, Buffer.from(bytes).toString().split(':', 2).join(':'))
    // None twice, none missing, each where it was said to be, without gaps.
    expect(new Set(found.values()).size).toBe(found.size)
    expect([...found.keys()]).toEqual(Array.from(found.keys(), (_, i) => i))
    for (const [text, offset] of acknowledged) expect(`${found.get(offset)}:`).toBe(text)
    expect(acknowledged.size).toBe(appended)
  })
})
