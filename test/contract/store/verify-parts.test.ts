// Parts that do not pass when they are read after a start, on a real store.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeLogger } from '../../../infra/logger.ts'
import type { Store } from '../../../infra/store/port.ts'
import { partDamage } from '../../../ingest/ledger/part-damage.ts'
import { type StorePart, verifyParts } from '../../../ingest/ledger/verify-parts.ts'
import { testClock } from '../../support/run/test-clock.ts'
import { openSharedStore, type SharedStore } from '../../support/store/shared-store.ts'
import { eventsInsert, NOON_MS } from '../../support/store/stored-event.ts'

const ROWS = 10
const DAY = Math.floor(NOON_MS / 86_400_000)

let embedded: SharedStore
beforeEach(async () => {
  embedded = await openSharedStore()
})
afterEach(() => embedded.stop())

async function parts(): Promise<{ name: string; path: string }[]> {
  return await embedded.store.query({
    sql: "SELECT name, path FROM system.parts WHERE table = 'events' AND active ORDER BY name",
  })
}

async function verify(
  events: string[],
  name: (part: StorePart) => Promise<void> = async () => {},
  {
    signal = new AbortController().signal,
    command = (given) => embedded.store.command(given),
    lines = [],
  }: { signal?: AbortSignal; command?: Store['command']; lines?: string[] } = {},
): Promise<void> {
  const active = async () => (await parts()).map((part) => part.name).join()
  await verifyParts({
    store: { query: (query) => embedded.store.query(query), command },
    // Waits are short.
    clock: { ...testClock, sleep: () => nextTurn() },
    logger: makeLogger({
      level: 'warn',
      process: 'test',
      clock: testClock,
      write: (line) => void lines.push(line),
    }),
    signal,
    name: async (part) => {
      events.push(`named ${part.name} of ${part.rows} beside ${await active()}`)
      await name(part)
    },
    count: async () => void events.push(`counted beside ${await active()}`),
  })
}

/** One byte of each of its larger files. */
function damage(path: string): void {
  for (const name of readdirSync(path).filter((it) => it.endsWith('.bin'))) {
    const bytes = readFileSync(join(path, name))
    const at = Math.floor(bytes.length / 2)
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    writeFileSync(join(path, name), bytes)
  }
}

it('a damaged part is named while it is still there, set aside, and counted at once', async () => {
  for (let at = 0; at < 3; at += 1) {
    const rows = Array.from({ length: ROWS }, () => ({ message: 'm' }))
    await embedded.store.insertNative(eventsInsert(`verify-${at}`, rows, at * ROWS))
  }
  const [first, second, third] = await parts()
  if (!first || !second || !third) throw new Error('three parts are expected')
  const events: string[] = []
  await verify(events)
  expect(events).toEqual([])
  damage(second.path)
  let named: StorePart | undefined
  await verify(events, async (part) => {
    named = part
  })
  expect(events).toEqual([
    `named ${second.name} of ${ROWS} beside ${first.name},${second.name},${third.name}`,
    `counted beside ${first.name},${third.name}`,
  ])
  expect(named && partDamage(named, 5)).toMatchObject({
    kind: 'events',
    policyId: 1,
    day: DAY,
    events: ROWS,
    foundMs: 5,
  })
})

it('a part that cannot be named is not set aside, and is tried until a stop', async () => {
  const rows = Array.from({ length: ROWS }, () => ({ message: 'm' }))
  await embedded.store.insertNative(eventsInsert('verify', rows, 0))
  const [part] = await parts()
  damage(part?.path ?? '')
  const stopping = new AbortController()
  let count = 0
  const fail = async () => {
    count += 1
    if (count === 3) stopping.abort()
    throw new Error('the database is away')
  }
  const lines: string[] = []
  await verify([], fail, { signal: stopping.signal, lines })
  expect(lines.map((line) => line.includes('could not be set aside'))).toEqual([true, true, true])
  expect((await parts()).map(({ name }) => name)).toEqual([part?.name])
})

it('a part is set aside and counted once the database and the store are back', async () => {
  const rows = Array.from({ length: ROWS }, () => ({ message: 'm' }))
  await embedded.store.insertNative(eventsInsert('verify', rows, 0))
  const [part] = await parts()
  damage(part?.path ?? '')
  let names = 0
  const name = async () => {
    names += 1
    if (names === 1) throw new Error('the database is away')
  }
  let commands = 0
  const command: Store['command'] = async (given) => {
    commands += 1
    if (commands === 2) await embedded.store.command(given)
    throw new Error('timed out')
  }
  const lines: string[] = []
  const events: string[] = []
  await verify(events, name, { command, lines })
  expect(commands).toBe(2)
  expect(events.at(-1)).toBe('counted beside ')
  expect(lines).toHaveLength(4)
  expect(lines.at(-1)).toContain('it was set aside')
})
