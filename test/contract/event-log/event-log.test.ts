import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EventLog } from '../../../infra/event-log/port.ts'
import { type EventLogPlace, eventLogAdapters } from '../../support/event-log/event-log-adapters.ts'
import { bundleProgram } from '../../support/machine/bundle-program.ts'

const READ = { maxBytes: 64 << 20, waitMs: 0 }

describe.each(eventLogAdapters)('event log: $name', ({ makePlace }) => {
  let place: EventLogPlace
  let log: EventLog

  beforeEach(async () => {
    place = makePlace()
    log = await place.open()
  })
  afterEach(async () => {
    await log.close()
    place.remove()
  })

  it('gives back blocks in the order of their offsets, byte for byte', async () => {
    const blocks = [
      Buffer.from('a'),
      Buffer.alloc(70_000, 'b'),
      Buffer.from([0, 255, 10, 10]),
      Buffer.alloc(3 << 20, 'c'),
    ]
    const offsets: number[] = []
    for (const block of blocks) offsets.push(await log.append(0, block))
    expect([...offsets].sort((a, b) => a - b)).toEqual(offsets)
    const read = await log.read(0, 0, READ)
    expect(read.map((block) => block.offset)).toEqual(offsets)
    expect(
      read.every(
        (block, index) => Buffer.compare(block.bytes, blocks[index] ?? Buffer.alloc(0)) === 0,
      ),
    ).toBe(true)
  })

  // Work may wait for the moment in which it loses the partition: one that is lost has none.
  it('ends when the signal aborts while the partitions are given', {
    timeout: 240_000,
  }, async () => {
    const end = new AbortController()
    const owning = log.own(
      (_, { lost }) =>
        new Promise((resolve) => lost.addEventListener('abort', () => resolve(), { once: true })),
      end.signal,
    )
    end.abort()
    await expect(owning).resolves.toBeUndefined()
    const late = log.own(() => new Promise(() => undefined), AbortSignal.abort())
    await expect(late).resolves.toBeUndefined()
  })

  it('gives different offsets to appends made at the same time', async () => {
    const offsets = await Promise.all(
      Array.from({ length: 50 }, (_, number) => log.append(0, Buffer.from(`${number}`))),
    )
    expect(new Set(offsets).size).toBe(50)
    const texts = new Map(
      (await log.read(0, 0, READ)).map((block) => [
        block.offset,
        Buffer.from(block.bytes).toString(),
      ]),
    )
    offsets.forEach((offset, number) => {
      expect(texts.get(offset)).toBe(`${number}`)
    })
  })

  it('stops reading after maxBytes are passed, with at least one block', async () => {
    for (let number = 0; number < 5; number += 1) await log.append(0, Buffer.alloc(1000, number))
    const first = await log.read(0, 0, { maxBytes: 1, waitMs: 0 })
    expect(first).toHaveLength(1)
    const next = (first[0]?.offset ?? 0) + 1
    expect(await log.read(0, next, { maxBytes: 2500, waitMs: 0 })).toHaveLength(3)
  })

  it('waits for a block, and no longer than waitMs', async () => {
    expect(await log.read(0, 0, { ...READ, waitMs: 30 })).toEqual([])
    const waiting = log.read(0, 0, { ...READ, waitMs: 10_000 })
    await log.append(0, Buffer.from('late'))
    expect(await waiting).toHaveLength(1)
  })

  it('ends a wait when the signal aborts', async () => {
    const controller = new AbortController()
    const waiting = log.read(0, 0, { ...READ, waitMs: 60_000, signal: controller.signal })
    controller.abort()
    expect(await waiting).toEqual([])
  })

  it('keeps position and metadata over a restart, and gives back what lies below', async () => {
    for (let number = 0; number < 4; number += 1) await log.append(0, Buffer.from(`${number}`))
    await log.savePosition(0, { next: 0, metadata: '{"intent":"ä"}' })
    expect(await log.position(0)).toEqual({ next: 0, metadata: '{"intent":"ä"}' })
    await log.savePosition(0, { next: 3, metadata: '' })
    await log.close()
    log = await place.open()
    expect(await log.position(0)).toEqual({ next: 3, metadata: '' })
    expect(
      (await log.read(0, 3, READ)).map((block) => Buffer.from(block.bytes).toString()),
    ).toEqual(['3'])
    expect(await log.status(0)).toMatchObject({ next: 3, blocks: 1, bytes: 1 })
  })

  it('never uses an offset again, also when everything was given back and reopened', async () => {
    const first = await log.append(0, Buffer.from('a'))
    await log.savePosition(0, { next: first + 1, metadata: '' })
    await log.close()
    log = await place.open()
    expect(await log.append(0, Buffer.from('b'))).toBeGreaterThan(first)
  })

  it('refuses a position that falls', async () => {
    await log.append(0, Buffer.from('a'))
    await log.savePosition(0, { next: 1, metadata: '' })
    await expect(log.savePosition(0, { next: 0, metadata: '' })).rejects.toThrow()
    expect(await log.position(0)).toMatchObject({ next: 1 })
  })

  it('refuses a block above maxBlockBytes and one above maxBytes, and goes on', async () => {
    await log.close()
    log = await place.open({ maxBytes: 10_000, maxBlockBytes: 6000 })
    await expect(log.append(0, Buffer.alloc(6001))).rejects.toMatchObject({
      code: 'event_log.block_too_large',
    })
    const offset = await log.append(0, Buffer.alloc(6000))
    await expect(log.append(0, Buffer.alloc(6000))).rejects.toMatchObject({
      code: 'event_log.full',
    })
    await log.savePosition(0, { next: offset + 1, metadata: '' })
    expect(await log.append(0, Buffer.alloc(6000))).toBeGreaterThan(offset)
  })

  it('keeps every acknowledged block of a process that is killed, and of another that goes on', async () => {
    const acknowledged = new Map<number, string>()
    const program = await bundleProgram('test/support/event-log/event-log-appender.ts')
    for (const name of ['first', 'second', 'third']) {
      const appender = spawn(process.execPath, [program, ...place.appenderArguments, name], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let count = 0
      for await (const line of createInterface(appender.stdout)) {
        const [number, offset] = line.split(' ').map(Number)
        acknowledged.set(offset ?? -1, `${name}:${number}:`)
        count += 1
        if (count === 20)
          acknowledged.set(await log.append(0, Buffer.from(`mine:${name}:`)), `mine:${name}:`)
        if (count === 60) appender.kill('SIGKILL')
      }
      if (appender.exitCode === null && appender.signalCode === null) await once(appender, 'exit')
    }
    const stored = new Map(
      (await log.read(0, 0, READ)).map((block) => [block.offset, Buffer.from(block.bytes)]),
    )
    for (const [offset, start] of acknowledged) {
      expect(stored.get(offset)?.subarray(0, start.length).toString()).toBe(start)
    }
    expect(acknowledged.size).toBeGreaterThan(150)
  })

  it('holds nothing that is behind the saved position', async () => {
    for (let round = 0; round < 60; round += 1) {
      const offset = await log.append(0, Buffer.alloc(1 << 20, round))
      await log.savePosition(0, { next: offset + 1, metadata: '' })
    }
    expect(await log.status(0)).toMatchObject({ blocks: 0, bytes: 0 })
  })
})
