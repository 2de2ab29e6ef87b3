// What takes rows away waits for the moves of its table, and for nothing else.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Moves } from '../../../../../infra/store/server/disks/moves.ts'

const MOVED = 'ALTER TABLE events DROP PARTITION (1, 20260101)'

const never = new AbortController().signal

function begin(table = 'events') {
  const moves = new Moves()
  let end = () => {}
  let fail = () => {}
  const work = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = () => reject(new Error('no room'))
  })
  return { moves, moving: moves.during(table, never, () => work), end, fail }
}

async function isWaiting(moves: Moves, sql: string): Promise<boolean> {
  let hasBegun = false
  void moves.taking(sql, never, async () => {
    hasBegun = true
  })
  await turn()
  return !hasBegun
}

it.each([
  MOVED,
  'ALTER TABLE `events` DELETE WHERE log_id = 1',
  'alter table events update message = 0 where 1',
  'TRUNCATE TABLE events',
  'DELETE FROM events WHERE 1',
])('%s waits', async (sql) => {
  const { moves, moving, end } = begin()
  expect(await isWaiting(moves, sql)).toBe(true)
  end()
  await moving
  expect(await isWaiting(moves, sql)).toBe(false)
})

it.each([
  'ALTER TABLE counts DROP PARTITION 1',
  'ALTER TABLE events MODIFY SETTING max_number_of_merges_with_ttl_in_pool = 1',
  "ALTER TABLE events MOVE PARTITION (1, 20260102) TO DISK 'other'",
  'SYSTEM SYNC REPLICA events',
])('%s does not', async (sql) => {
  const { moves, moving, end } = begin()
  expect(await isWaiting(moves, sql)).toBe(false)
  end()
  await moving
})

it('a move that fails lets go, too, and another one holds on', async () => {
  const { moves, moving, fail } = begin()
  let endOther = () => {}
  const other = moves.during(
    'events',
    never,
    () => new Promise<void>((resolve) => (endOther = resolve)),
  )
  fail()
  await expect(moving).rejects.toThrow('no room')
  expect(await isWaiting(moves, MOVED)).toBe(true)
  endOther()
  await other
  expect(await isWaiting(moves, MOVED)).toBe(false)
})

it('who gives up while it waits never begins', async () => {
  const { moves, moving, end } = begin()
  const controller = new AbortController()
  const work = () => Promise.reject(new Error('it began'))
  const waiting = moves.taking(MOVED, controller.signal, work)
  controller.abort(new Error('given up'))
  await expect(waiting).rejects.toThrow('given up')
  await expect(moves.taking(MOVED, controller.signal, work)).rejects.toThrow('given up')
  end()
  await moving
})

it('a move waits for what takes rows away, also for what has no free session yet', async () => {
  const moves = new Moves()
  let end = () => {}
  const taking = moves.taking(MOVED, never, () => new Promise<void>((resolve) => (end = resolve)))
  let hasMoved = false
  const move = async () => {
    hasMoved = true
  }
  const controller = new AbortController()
  const given = moves.during('events', controller.signal, move)
  const moving = moves.during('events', never, move)
  await moves.during('counts', never, async () => {})
  await turn()
  expect(hasMoved).toBe(false)
  controller.abort(new Error('given up'))
  await expect(given).rejects.toThrow('given up')
  end()
  await taking
  await moving
  expect(hasMoved).toBe(true)
})

it('of both that waited for the same end, one begins after the other', async () => {
  const { moves, moving, end } = begin()
  const running = new Set<string>()
  const both: string[] = []
  const work = (name: string) => async () => {
    running.add(name)
    if (running.size > 1) both.push([...running].join(' '))
    await turn()
    running.delete(name)
  }
  const all = [
    moves.taking(MOVED, never, work('drop')),
    moves.taking('TRUNCATE TABLE `counts`', never, async () => {}),
  ]
  end()
  await moving
  all.push(moves.during('events', never, work('move')))
  await Promise.all(all)
  expect(both).toEqual([])
})
