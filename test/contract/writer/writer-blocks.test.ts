// Blocks that the writer cannot take as they are: damaged ones, and those of a version that it does
// not know.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../../infra/database/port.ts'
import {
  forgetDamage,
  keepDamage,
  readAccepted,
  readDamage,
} from '../../../infra/metastore/ledger/store-damage.ts'
import { tellDamage } from '../../../infra/metastore/ledger/tell-damage.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import { acceptDamage } from '../../../query/sdk/commands/accept-damage.ts'
import { makeFindEvents } from '../../../query/sdk/server/keep/deletion-tools.ts'
import { NO_LIFECYCLE } from '../../../query/sdk/server/lifecycle-tools.ts'
import { refuseMask } from '../../../query/sdk/server/mask-tools.ts'
import { makeObjectTools } from '../../../query/sdk/server/object-tools.ts'
import { makePathTools, NO_ROOTS } from '../../../query/sdk/server/path-tools.ts'
import { refusePatterns } from '../../../query/sdk/server/pattern-tools.ts'
import { refuseReplay } from '../../../query/sdk/server/replay-events.ts'
import { encodeBlock } from '../../../schemas/block/codec.ts'
import { ANONYMOUS_USER } from '../../../schemas/users.ts'
import { makeRequest } from '../../support/ingest/sent-request.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { openWriterPlace, type WriterPlace } from '../../support/writer/writer-place.ts'

let place: WriterPlace

beforeAll(async () => {
  place = await openWriterPlace()
})
beforeEach(() => place.clear())
afterAll(() => place.close())

async function forgetAll(database: Database): Promise<void> {
  const ids = (await readDamage(database.read)).map(({ id }) => id)
  await database.write(async (transaction) => void (await forgetDamage(transaction, ids)))
}

async function messages(where?: string): Promise<string[]> {
  return (await place.rows(where)).map(({ message }) => message)
}

describe('the writer', () => {
  test('keeps a block that cannot be read and goes on', async () => {
    await place.appendBytes(Buffer.from('no block at all'))
    await place.append([{ events: [{ message: 'behind it' }] }])
    await place.storeAll()
    expect(await messages()).toEqual(['no block at all', 'behind it'])
    const [row] = await place.rows("message = 'no block at all'")
    expect(row?.columns).toEqual({ reason: 'unreadable_block', account: '' })
  })

  test('names a damaged block until it is accepted, also behind a check of the store and a restart', async () => {
    const { database } = place.metastore
    await forgetAll(database)
    await place.appendBytes(Buffer.from('no block at all'))
    await place.storeAll()
    await place.storeAll()
    const check = { checkedMs: 1, units: 0, events: 0, damage: [] }
    await keepDamage(database, { ...check, accepted: await readAccepted(database.read) })
    const told = await tellDamage(place.metastore, { withLogs: true })
    expect(told).toMatchObject({ events: 0, items: [{ kind: 'blocks', events: 1 }] })
    expect(told?.items[0]?.message).toBe(
      '1 block of the event log was damaged, and what was in it is not found: the bytes are in System->rejected (unreadable_block)',
    )
    const { store } = place.engine
    const examine = () => Promise.resolve([])
    const lifecycle = NO_LIFECYCLE
    const refuse = {
      replayRejected: refuseReplay,
      patterns: refusePatterns,
      tryMask: refuseMask,
      lifecycle,
    }
    const anything = () => Promise.resolve()
    const nodes = {
      visibleLogs: async () => [],
      paths: makePathTools(NO_ROOTS, ANONYMOUS_USER),
      requireVisible: anything,
      requireVisibleTag: anything,
      requireEditable: anything,
      requireEditableBelow: anything,
      requireSight: anything,
      findFixed: async () => new Set<string>(),
      withinRights: () => Promise.reject(),
    }
    const objects = makeObjectTools(
      place.metastore,
      ANONYMOUS_USER,
      { operations: [], paths: new Set() },
      () => Promise.reject(),
    )
    const by = { kind: 'nothing' } as const
    const caller = { user: ANONYMOUS_USER, address: '', by }
    const checkPassword = async () => undefined
    const secrets = { secretKeys: new SecretKeys(undefined, testClock), nodeName: 'node' }
    const base = { checkPassword, clock: testClock, store, database, caller, objects, examine }
    const whole = { wholeStore: store }
    const findEvents = makeFindEvents(place.metastore)
    const monitors = {
      tryMonitor: () => Promise.reject(),
      tellTarget: () => Promise.reject(),
      readArrived: () => Promise.reject(),
      settings: place.metastore,
    }
    const tools = { findEvents, ...base, ...refuse, ...nodes, ...secrets, ...monitors, ...whole }
    const forget = await acceptDamage.prepare({}, tools)
    await database.write(async (transaction) => void (await forget(transaction)))
    expect(await tellDamage(place.metastore, { withLogs: true })).toBeUndefined()
  })

  test('names a damaged block before it passes it', async () => {
    const { database } = place.metastore
    await forgetAll(database)
    const offset = await place.appendBytes(Buffer.from('no block at all'))
    const crash = { call: 'savePosition', when: 'before', nth: 2 } as const
    const writer = await place.openWriter({ crash }, async () => {
      expect((await place.eventLog.position(0)).next).toBe(offset)
      expect(await readDamage(database.read)).toMatchObject([{ kind: 'blocks', events: 1 }])
    })
    await place.waitStored()
    await writer.close()
    expect(await readDamage(database.read)).toHaveLength(1)
  })

  test('names a block whose bytes have changed, keeps all of them, and goes on', async () => {
    const bytes = encodeBlock({
      listener: 'flipped',
      sequence: 1,
      requests: [makeRequest({ events: [{ message: 'x'.repeat(2_500_000) }] })],
    })
    bytes[1_200_000] = 0x79
    await place.appendBytes(bytes)
    await place.append([{ events: [{ message: 'behind it' }] }])
    const writer = await place.openWriter()
    await place.waitStored()
    const said = writer.logged.find((line) => line.includes('damaged blocks'))
    expect(JSON.parse(said ?? '{}')).toMatchObject({ level: 'error', blocks: 1 })
    expect(await writer.metrics.text()).toMatch(/damaged_blocks_total\{[^}]*\} 1/)
    await writer.close()
    const rows = await place.rows()
    const pieces = rows.filter(({ columns }) => columns.reason === 'unreadable_block')
    expect(rows.map(({ message }) => message).at(-1)).toBe('behind it')
    // The texts are UTF-8 and hold U+FFFD for what is none: only how many there are can be told
    // from here.
    expect([rows.length, pieces.length]).toEqual([4, 3])
    expect(await place.countDifferences()).toEqual([])
  })

  test('stops at a block of a later version, with all before it stored, and a newer program goes on', async () => {
    const ofNow = (message: string, sequence: number) =>
      encodeBlock({
        listener: 'newer',
        sequence,
        requests: [makeRequest({ events: [{ message }] })],
      })
    await place.append([{ events: [{ message: 'before' }] }])
    const later = ofNow('of a later version', 1)
    later[0] = 4
    await place.appendBytes(later)
    await place.appendBytes(ofNow('behind', 2))
    for (let start = 1; start <= 2; start += 1) {
      const writer = await place.openWriter()
      await expect.poll(() => writer.logged.join(), { timeout: 240_000 }).toContain('newer program')
      await expect.poll(() => writer.writer.readiness()).toBe('a partition is stopped')
      expect(await writer.metrics.text()).toMatch(/logeye_writer_stopped\{[^}]*\} 1/)
      await writer.close()
      expect(await messages()).toEqual(['before'])
    }
    // What a newer program makes of it is its own: here the next block is read by one that knows
    // it.
    const { next, metadata } = await place.eventLog.position(0)
    await place.eventLog.savePosition(0, { next: next + 1, metadata })
    await place.storeAll()
    expect(await messages()).toEqual(['before', 'behind'])
  })

  test('does not make rows of ranges that lie outside of the body', async () => {
    const request = makeRequest({ events: [{ message: 'x' }] })
    const ranges = Uint32Array.of(0, 999)
    await place.appendBytes(
      encodeBlock({ listener: 'Z', sequence: 1, requests: [{ ...request, ranges }] }),
    )
    await place.append([{ events: [{ message: 'sound' }] }])
    await place.storeAll()
    const rows = await place.rows()
    expect(rows.map(({ columns }) => columns.reason)).toEqual(['unreadable_block', undefined])
  })
})
