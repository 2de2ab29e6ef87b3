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
import type { Clock } from '../../../infra/clock.ts'
import {
  openCurrent,
  publishSuccessor,
  sealEnvironment,
} from '../../../infra/event-log/embedded/generations.ts'
import { checkEmbeddedEventLog, openEventLog } from '../../../infra/event-log/open.ts'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import { ROTATION_STEPS } from '../../support/event-log/event-log-rotator.ts'
import { bundleProgram } from '../../support/machine/bundle-program.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { series } from '../../support/run/tier.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

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

const open = (clock: Clock = testClock) =>
  openEventLog({ dataDir, maxBytes: MAX_BYTES, maxBlockBytes: 16 * MIB, clock })

async function run(name: string, ...args: string[]): Promise<ChildProcess> {
  const program = await bundleProgram(`test/support/event-log/${name}.ts`)
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  return child
}

/** Opens the log again, to be looked at as an owner does all the time: `look` goes on to the next
 *  look, and gives how many there were. */
async function givingSpaceBack(work: (look: () => number) => Promise<unknown>): Promise<void> {
  await log.close()
  const clock = makeManualClock()
  let looks = -1
  const sleep = (ms: number, signal?: AbortSignal) => {
    looks += 1
    return clock.sleep(ms, signal)
  }
  log = await open({ ...clock, sleep })
  const look = () => {
    clock.advance(2000)
    return looks
  }
  const stopping = new AbortController()
  const owning = log.own(
    (_, { lost }) => new Promise((resolve) => lost.addEventListener('abort', () => resolve())),
    stopping.signal,
  )
  await work(look).finally(() => stopping.abort())
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
    for (let number = 0; number < 15; number += 1)
      await log.append(0, Buffer.alloc(4 * MIB, `${number}:`))
    expect(sizeBytes()).toBeGreaterThan(60 * MIB)
    await log.savePosition(0, { next: 14, metadata: 'kept' })
    const left = await readAll(14)
    // Another process has it open, too.
    const other = await open()
    await givingSpaceBack(async (look) => {
      const isSmall = () => {
        look()
        return sizeBytes() < 32 * MIB
      }
      await waitUntil('its file is small', isSmall, sizeBytes)
    })
    expect(await readAll(14)).toEqual(left)
    expect(await log.position(0)).toEqual({ next: 14, metadata: 'kept' })
    expect(await other.append(0, Buffer.from('of the other'))).toBe(15)
    expect(await log.append(0, Buffer.from('of this one'))).toBe(16)
    expect(await other.status(0)).toEqual({ ...(await log.status(0)), end: 17, blocks: 3 })
    await other.close()
    await log.close()
    await checkEmbeddedEventLog({ dataDir, maxBytes: MAX_BYTES, clock: testClock })
    log = await open()
    expect((await readAll(14)).slice(1)).toEqual(['15 of the other', '16 of this one'])
  })

  it('leaves a log alone that holds much', async () => {
    for (let number = 0; number < 15; number += 1)
      await log.append(0, Buffer.alloc(4 * MIB, `${number}:`))
    await log.savePosition(0, { next: 12, metadata: '' })
    await givingSpaceBack((look) => waitUntil('it was looked at five times', () => look() >= 5))
    expect(sizeBytes()).toBeGreaterThan(60 * MIB)
    expect(await readAll(12)).toHaveLength(3)
  })

  it('does not go on in another file before the old one is sealed, nor seals one that holds much', async () => {
    for (let number = 0; number < 3; number += 1) await log.append(0, Buffer.alloc(MIB))
    const directory = join(dataDir, 'event-log')
    const place = { directory, partition: 0, maxBytes: MAX_BYTES, clock: testClock }
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
    const place = { directory, partition: 0, maxBytes: MAX_BYTES, clock: testClock }
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
    const clock = { ...testClock, randomBytes: (count: number) => Buffer.alloc(count) }
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
    for (let round = 0; round < 2; round += 1) {
      const [, signal] = await once(
        await run('event-log-rotator', join(dataDir, 'event-log'), step),
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
    await checkEmbeddedEventLog({ dataDir, maxBytes: MAX_BYTES, clock: testClock })
    expect(readdirSync(join(dataDir, 'event-log'))).toHaveLength(1)
    log = await open()
    expect(await readAll(2)).toEqual(left)
  })

  it('loses and doubles nothing of several appenders while files change and processes are killed', {
    timeout: 240_000,
  }, async () => {
    const acknowledged = new Map<string, number>()
    let appended = 0
    let onAppended = () => {}
    const appending = ['a', 'b', 'c'].map(async (name) => {
      for (let life = 0; life < series(2, 3); life += 1) {
        const appender = await run('event-log-appender', dataDir, `${name}${life}`)
        let count = 0
        if (appender.stdout === null) throw new Error('no output')
        for await (const line of createInterface(appender.stdout)) {
          const [number, offset] = line.split(' ').map(Number)
          acknowledged.set(`${name}${life}:${number}:`, offset ?? -1)
          appended += 1
          count += 1
          onAppended()
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
      const rotator = await run('event-log-rotator', join(dataDir, 'event-log'))
      const most = rotations + 5
      const ended = once(rotator, 'exit')
      const killedSoon = new Promise<void>((resolve) => {
        rotator.stdout?.on('data', () => {
          rotations += 1
          if (rotations !== most) return
          const killAt = appended + ((most * 7) % 40)
          onAppended = () => {
            if (appended >= killAt) resolve()
          }
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
