// Parts that the engine set aside, on a real store: none is attached whose events are there, and no
// other part is touched.
import { cpSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeLogger } from '../../../infra/logger.ts'
import type { Store } from '../../../infra/store/port.ts'
import { repairParts } from '../../../ingest/ledger/repair-parts.ts'
import { UnitReader } from '../../../ingest/ledger/unit-sums.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'
import { eventsInsert, NOON_MS } from '../../support/store/stored-event.ts'

const ROWS = 10
const DAY = new Date(NOON_MS).toISOString().slice(0, 10).replaceAll('-', '')
const UNIT = `1-${DAY}`

let embedded: SharedStore
let store: Store
beforeEach(async () => {
  embedded = await openSharedStore()
  store = embedded.store
})
afterEach(() => embedded.stop())

async function insert(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const rows = Array.from({ length: ROWS }, () => ({ message: 'm' }))
    await store.insertNative(eventsInsert(`repair-${at}`, rows, at * ROWS))
    await store.command({
      sql: `INSERT INTO counts VALUES (1, fromUnixTimestamp(${NOON_MS / 1000}), fromUnixTimestamp(${NOON_MS / 1000}), 1, 'h', 's', 0, ${ROWS}, 0, ${at + 1})`,
    })
  }
}

async function parts(): Promise<{ name: string; path: string }[]> {
  return await store.query({
    sql: "SELECT name, path FROM system.parts WHERE table = 'events' AND active ORDER BY min_block_number",
  })
}

/** As the engine sets one aside at a start, of which the file of checksums is cut. */
async function setAside(part: { name: string; path: string }, name: string): Promise<void> {
  const path = join(dirname(part.path.replace(/\/$/, '')), 'detached', `broken-on-start_${name}`)
  cpSync(part.path, path, { recursive: true })
  truncateSync(join(path, 'checksums.txt'), 5)
}

async function lose(part: { name: string; path: string }): Promise<void> {
  await store.command({ sql: `ALTER TABLE events DETACH PART '${part.name}'` })
  const detached = join(dirname(part.path.replace(/\/$/, '')), 'detached', part.name)
  rmSync(detached, { recursive: true })
}

type Command = Parameters<Store['command']>[0]

/** `attach` stands for what the engine does when a part is attached. */
async function repair(
  attach: (command: Command) => Promise<unknown> = (command) => store.command(command),
  signal = new AbortController().signal,
): Promise<number> {
  const watched: Pick<Store, 'query' | 'command'> = {
    query: (query) => store.query(query),
    command: async (command) => {
      if (command.sql.includes('ATTACH PART')) await attach(command)
      else await store.command(command)
    },
  }
  return await repairParts({
    store: watched,
    reader: new UnitReader(store, new AbortController().signal),
    logger: makeLogger({ level: 'error', process: 'test', clock: testClock, write: () => {} }),
    signal,
    mayCount: async () => true,
    onRepaired: () => {},
  })
}

/** A repair that ends at the first part that it attaches, as after a kill: nothing follows. */
async function killed(before: (command: Command) => Promise<unknown>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const attach = async (command: Command) => {
      await before(command)
      resolve()
      await new Promise(() => {})
    }
    repair(attach).then(() => reject(new Error('nothing was attached')), reject)
  })
}

function notes(part: { path: string }): string[] {
  return readdirSync(dirname(part.path.replace(/\/$/, ''))).filter((it) => it.includes('repair'))
}

function detachedOf(part: { path: string }): string {
  return join(dirname(part.path.replace(/\/$/, '')), 'detached')
}

async function held(): Promise<{ rows: number; places: number }> {
  const [row] = await store.query<{ rows: string; places: string }>({
    sql: 'SELECT count() AS rows, uniqExact(offset) AS places FROM events',
  })
  return { rows: Number(row?.rows), places: Number(row?.places) }
}

it('a part is repaired, and what overlaps it is not tried again', async () => {
  await insert(3)
  const [, second] = await parts()
  if (second === undefined) throw new Error('no part')
  await setAside(second, second.name)
  await setAside(second, `${second.name}_try1`)
  await lose(second)
  expect(await repair()).toBe(1)
  expect(await held()).toEqual({ rows: 3 * ROWS, places: 3 * ROWS })
  const [last] = await parts()
  if (last === undefined) throw new Error('no part')
  await lose(last)
  expect(await repair()).toBe(0)
  expect(await held()).toEqual({ rows: 2 * ROWS, places: 2 * ROWS })
}, 60_000)

it('a part whose events are there under other numbers is not attached for others that are missing', async () => {
  await insert(3)
  const [first, second] = await parts()
  if (first === undefined || second === undefined) throw new Error('no part')
  await setAside(first, `${UNIT}_50_50_0`)
  await lose(second)
  expect(await repair()).toBe(0)
  expect(await held()).toEqual({ rows: 2 * ROWS, places: 2 * ROWS })
}, 60_000)

it('parts that the engine merges meanwhile stay', async () => {
  await insert(4)
  const [, second] = await parts()
  if (second === undefined) throw new Error('no part')
  await setAside(second, second.name)
  await lose(second)
  const merge = async (command: Command) => {
    await store.command(command)
    await store.command({ sql: 'OPTIMIZE TABLE events' }).catch(() => undefined)
  }
  expect(await repair(merge)).toBe(1)
  expect(await held()).toEqual({ rows: 4 * ROWS, places: 4 * ROWS })
  const settings = await store.query({
    sql: "SELECT name FROM system.tables WHERE name = 'events' AND engine_full ILIKE '%max_bytes_to_merge%'",
  })
  expect(settings).toEqual([])
}, 60_000)

it.each(['renamed', 'attaching', 'attached'])(
  'a part of a repair that was killed (%s) comes back once',
  async (moment) => {
    await insert(3)
    const [, second] = await parts()
    if (second === undefined) throw new Error('no part')
    await setAside(second, second.name)
    await lose(second)
    const detached = detachedOf(second)
    await killed(async (command) => {
      if (moment === 'attached') await store.command(command)
      if (moment === 'attaching')
        renameSync(join(detached, second.name), join(detached, `attaching_${second.name}`))
    })
    expect(notes(second)).toHaveLength(1)
    expect(await repair()).toBe(1)
    expect(await held()).toEqual({ rows: 3 * ROWS, places: 3 * ROWS })
    expect(notes(second)).toEqual([])
    expect(await repair()).toBe(0)
    expect(await held()).toEqual({ rows: 3 * ROWS, places: 3 * ROWS })
  },
  60_000,
)

it('a part that a killed repair attached, and did not judge, does not double events', async () => {
  await insert(3)
  const [first, second] = await parts()
  if (first === undefined || second === undefined) throw new Error('no part')
  await setAside(first, `${UNIT}_50_50_0`)
  await lose(second)
  await killed((command) => store.command(command))
  expect(await held()).toEqual({ rows: 3 * ROWS, places: 2 * ROWS })
  expect(await repair()).toBe(0)
  expect(await held()).toEqual({ rows: 2 * ROWS, places: 2 * ROWS })
  expect(notes(first)).toEqual([])
}, 60_000)

it('a part that is attached after a time-out is judged, and one that is gone ends no other', async () => {
  await insert(4)
  const [, second, third] = await parts()
  if (second === undefined || third === undefined) throw new Error('no part')
  for (const part of [second, third]) {
    await setAside(part, part.name)
    await lose(part)
  }
  let count = 0
  const attach = async (command: Command) => {
    count += 1
    if (count === 1) rmSync(join(detachedOf(second), second.name), { recursive: true })
    else await store.command(command)
    throw new Error('timed out')
  }
  expect(await repair(attach)).toBe(1)
  expect(await held()).toEqual({ rows: 3 * ROWS, places: 3 * ROWS })
  expect(notes(second)).toEqual([])
}, 60_000)

it('no try begins after a stop', async () => {
  await insert(3)
  const [, second, third] = await parts()
  if (second === undefined || third === undefined) throw new Error('no part')
  for (const part of [second, third]) {
    await setAside(part, part.name)
    await lose(part)
  }
  const stopping = new AbortController()
  const attach = async (command: Command) => {
    stopping.abort()
    await store.command(command)
  }
  expect(await repair(attach, stopping.signal)).toBe(1)
  expect(await repair()).toBe(1)
  expect(await held()).toEqual({ rows: 3 * ROWS, places: 3 * ROWS })
}, 60_000)
