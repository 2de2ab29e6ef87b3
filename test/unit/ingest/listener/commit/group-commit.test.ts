import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { makeLogger } from '../../../../../infra/logger.ts'
import { openMetrics } from '../../../../../infra/metrics.ts'
import { type Committed, GroupCommit } from '../../../../../ingest/listener/commit/group-commit.ts'
import { Telemetry } from '../../../../../ingest/listener/telemetry.ts'
import { decodeBlock } from '../../../../../schemas/block/codec.ts'
import type { BlockRequest } from '../../../../../schemas/block/schema.ts'
import { Failure } from '../../../../../schemas/failures.ts'
import { FakeEventLog } from '../../../../support/event-log/fake-event-log.ts'
import { makeManualClock } from '../../../../support/run/manual-clock.ts'

function start(eventLog = new FakeEventLog()) {
  const clock = makeManualClock()
  const lines: string[] = []
  const logger = makeLogger({
    level: 'info',
    process: 'test',
    clock,
    write: (line) => void lines.push(line),
  })
  const telemetry = new Telemetry(openMetrics('test'), logger, () => 0)
  const commit = new GroupCommit({ eventLog, listener: 'start-1', clock, logger, telemetry })
  const answered: string[] = []
  const request = (name: string, bytes = 10): BlockRequest => {
    return {
      accountId: 1,
      accountVersion: 1,
      receivedMs: clock.nowMs(),
      hostName: name,
      peer: '',
      idempotencyKey: '',
      form: 'logger',
      body: Buffer.alloc(bytes),
      ranges: Uint32Array.of(0, bytes),
      rejections: [],
    }
  }
  const add = (one: BlockRequest, partition = 0) =>
    commit.add(partition, one, (committed) => answered.push(`${one.hostName} ${show(committed)}`))
  const send = (name: string, bytes = 10, partition = 0) => add(request(name, bytes), partition)
  return { eventLog, clock, lines, commit, answered, request, add, send }
}

function show(committed: Committed): string {
  if (committed.kind === 'failed') return committed.code.replace('listener.', '')
  return `${committed.place.partition}-${committed.place.offset}`
}

/** The host names of each block's requests. */
function blocksOf(eventLog: FakeEventLog): string[] {
  return eventLog.blocks.map(({ bytes }) =>
    decodeBlock(bytes)
      .requests.map((request) => request.hostName)
      .join(''),
  )
}

async function settle(): Promise<void> {
  for (let turns = 0; turns < 12; turns += 1) await turn()
}

describe('group commit', () => {
  it('puts what one turn brings into one block and answers it together, in order', async () => {
    const { send, answered, eventLog } = start()
    send('a')
    send('b')
    expect(answered).toEqual([])
    await settle()
    expect(blocksOf(eventLog)).toEqual(['ab'])
    expect(answered).toEqual(['a 0-0', 'b 0-0'])
  })

  it('gathers while an append is under way, and closes the block when it ends', async () => {
    const { send, answered, eventLog } = start()
    eventLog.isHeld = true
    send('a')
    await settle()
    for (const name of 'bcd') {
      send(name)
      await settle()
    }
    expect(eventLog.running).toBe(1)
    eventLog.release()
    await settle()
    expect(blocksOf(eventLog)).toEqual(['a', 'bcd'])
    expect(answered).toEqual(['a 0-0', 'b 0-1', 'c 0-1', 'd 0-1'])
  })

  it('waits behind a block of many senders for all of them, no longer than its append took', async () => {
    const { send, eventLog, clock } = start()
    eventLog.isHeld = true
    for (const name of 'abcdefgh') send(name)
    await settle()
    send('i')
    clock.advance(3)
    eventLog.release()
    await settle()
    send('j')
    clock.advance(2)
    await settle()
    expect(blocksOf(eventLog)).toEqual(['abcdefgh'])
    clock.advance(1)
    await settle()
    expect(blocksOf(eventLog)).toEqual(['abcdefgh', 'ij'])
    send('k')
    await settle()
    expect(blocksOf(eventLog).slice(2)).toEqual(['k'])
  })

  it('closes a block at 256 requests, which waits for nothing', async () => {
    const { send, eventLog, clock, answered } = start()
    eventLog.isHeld = true
    for (let count = 0; count < 300; count += 1) send('a')
    await settle()
    clock.advance(4)
    eventLog.release()
    await settle()
    expect(blocksOf(eventLog).map((names) => names.length)).toEqual([256])
    for (let count = 0; count < 213; count += 1) send('b')
    await settle()
    expect(blocksOf(eventLog).map((names) => names.length)).toEqual([256, 256, 1])
    expect(answered).toHaveLength(513)
  })

  it('closes a block at about 1 MiB, cuts no request, and appends one block at a time', async () => {
    const { send, answered, eventLog } = start()
    eventLog.isHeld = true
    send('a')
    await settle()
    const kib = 1024
    for (const [name, bytes] of [
      ['b', 600 * kib],
      ['c', 300 * kib],
      ['d', 300 * kib],
      ['e', 9000 * kib],
      ['f', 1],
    ] as const) {
      send(name, bytes)
    }
    eventLog.release()
    await settle()
    expect(blocksOf(eventLog)).toEqual(['a', 'bc', 'd', 'e', 'f'])
    expect(answered.map((text) => text.slice(2))).toEqual([
      '0-0',
      '0-1',
      '0-1',
      '0-2',
      '0-3',
      '0-4',
    ])
    expect(eventLog.mostRunning).toBe(1)
  })

  it('keeps partitions apart', async () => {
    const { send, answered, eventLog } = start(new FakeEventLog(2))
    send('a', 10, 0)
    send('b', 10, 1)
    await settle()
    expect(answered.sort()).toEqual(['a 0-0', 'b 1-0'])
    expect(eventLog.blocks.map(({ bytes }) => decodeBlock(bytes).sequence)).toEqual([1, 1])
  })

  it('fails all of a block, none of the next, and uses no sequence number twice', async () => {
    const { send, answered, eventLog, commit, lines } = start()
    eventLog.failure = new Failure('event_log.unavailable')
    send('a')
    send('b')
    await settle()
    eventLog.failure = new Failure('event_log.full')
    send('c')
    await settle()
    expect(commit.isHealthy).toBe(false)
    eventLog.failure = undefined
    send('d')
    await settle()
    expect(answered).toEqual([
      'a event_log_unavailable',
      'b event_log_unavailable',
      'c event_log_full',
      'd 0-0',
    ])
    expect(commit.isHealthy).toBe(true)
    expect(eventLog.blocks.map(({ bytes }) => decodeBlock(bytes))).toMatchObject([
      { listener: 'start-1', sequence: 3 },
    ])
    expect(lines.map((line) => JSON.parse(line).message)).toEqual([
      'event log append failed',
      'event log accepts data again',
    ])
  })

  // A listener behind an edge gets no requests while it is not ready.
  it('is worth another request five seconds behind a failure', async () => {
    const { send, eventLog, commit, clock } = start()
    eventLog.failure = new Failure('event_log.unavailable')
    send('a')
    await settle()
    clock.advance(4999)
    expect(commit.isHealthy).toBe(false)
    clock.advance(1)
    expect(commit.isHealthy).toBe(true)
    send('b')
    await settle()
    expect(commit.isHealthy).toBe(false)
  })

  it('says of a block that is too large that its request is', async () => {
    const { send, answered, eventLog, commit } = start()
    eventLog.failure = new Failure('event_log.block_too_large', { maxBlockBytes: 9 })
    send('a')
    await settle()
    expect(answered).toEqual(['a block_too_large'])
    expect(commit.isHealthy).toBe(true)
  })

  it('refuses of a block that is too large only the request that is', async () => {
    const { send, answered, eventLog, commit } = start()
    eventLog.maxBlockBytes = 1000
    send('a')
    send('b', 2000)
    send('c')
    await settle()
    expect(answered).toEqual(['a 0-0', 'b block_too_large', 'c 0-1'])
    expect(blocksOf(eventLog)).toEqual(['a', 'c'])
    const sequences = eventLog.blocks.map(({ bytes }) => decodeBlock(bytes).sequence)
    expect(sequences).toEqual([2, 4])
    expect(commit.isHealthy).toBe(true)
  })

  it('gives up the requests of a block that is too large when one of them hangs', async () => {
    const { send, answered, eventLog, commit, clock } = start()
    eventLog.maxBlockBytes = 1000
    send('a', 2000)
    send('b')
    await settle()
    expect(answered).toEqual(['a block_too_large', 'b 0-0'])
    eventLog.isHeld = true
    send('c', 2000)
    send('d')
    await settle()
    clock.advance(20_001)
    commit.checkTime()
    expect(answered.slice(2)).toEqual(['c event_log_unavailable', 'd event_log_unavailable'])
    eventLog.release()
    await settle()
    expect(answered).toHaveLength(4)
    expect(commit.isHanging(0)).toBe(false)
  })

  it('counts all of a request that is in its block: hosts, sources, keys', async () => {
    const { add, request, eventLog } = start()
    eventLog.isHeld = true
    add(request('a'))
    await settle()
    const source = '\ufffd'.repeat(255)
    const origins = {
      places: Array.from({ length: 500 }, () => ({ host: '', source })),
      placeOf: Uint32Array.of(0),
      times: new Float64Array(),
    }
    for (const name of 'bcdefghi') add({ ...request(name), origins })
    eventLog.release()
    await settle()
    // About 375 KiB each.
    expect(blocksOf(eventLog)).toEqual(['a', 'bc', 'de', 'fg', 'hi'])
    for (const { bytes } of eventLog.blocks) expect(bytes.length).toBeLessThan(1024 * 1024)
  })

  it('answers all of a block, also when the answer to one throws', async () => {
    const { send, answered, commit, request, lines } = start()
    commit.add(0, request('a'), (committed) => {
      answered.push(`a ${show(committed)}`)
      if (committed.kind === 'durable') throw new Error('a bug with an event in its text')
    })
    commit.add(0, request('b'), () => {
      throw new Error('a bug at each call')
    })
    send('c')
    await settle()
    expect(answered).toEqual(['a 0-0', 'a internal', 'c 0-0'])
    expect(lines.map((line) => JSON.parse(line).message)).toEqual([
      'ingest request failed',
      'ingest request failed',
    ])
    send('d')
    await settle()
    expect(answered.at(-1)).toBe('d 0-1')
  })

  it('gives up an append that hangs, and what waits behind it, after 20 s; goes on when it ends', async () => {
    const { send, answered, eventLog, commit, clock } = start()
    eventLog.isHeld = true
    send('a')
    await settle()
    send('b')
    clock.advance(19_000)
    commit.checkTime()
    expect(answered).toEqual([])
    clock.advance(1001)
    commit.checkTime()
    expect(answered).toEqual(['a event_log_unavailable', 'b event_log_unavailable'])
    expect(commit.isHanging(0)).toBe(true)
    eventLog.release()
    await settle()
    expect(commit.isHanging(0)).toBe(false)
    // The block that hung became durable after all; what waited was never written.
    expect(blocksOf(eventLog)).toEqual(['a'])
    send('c')
    await settle()
    expect(answered.slice(2)).toEqual(['c 0-1'])
  })
})
