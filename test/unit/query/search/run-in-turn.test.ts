import { expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { FairQueue } from '../../../../infra/fair-queue.ts'
import { INSERT_SETTINGS } from '../../../../infra/store/insert-settings.ts'
import { limitedQuery } from '../../../../query/search/run-in-turn.ts'
import { makeFailingStore } from '../../../support/store/failing-store.ts'

const TURN = { userId: 1, deadlineMs: 1000, signal: new AbortController().signal }

it('a search lets inserts pass, a look at the store that says its own priority does not', () => {
  const deps = {
    store: makeFailingStore(() => []),
    clock: systemClock,
    queue: new FairQueue({ maxRunning: 4, maxWaiting: 1 }),
    maxQueryMemoryBytes: 400_000_000,
    keptFreeBytes: 0,
  }
  const priorityOf = (settings: Record<string, number>) =>
    Number(limitedQuery({ sql: 'SELECT 1', settings }, TURN, deps).settings?.priority)
  expect(priorityOf({})).toBeGreaterThan(Number(INSERT_SETTINGS.priority))
  expect(priorityOf({ priority: 1 })).toBe(Number(INSERT_SETTINGS.priority))
})

it('a search has two threads alone, one beside others, and two again behind them', async () => {
  const queue = new FairQueue({ maxRunning: 4, maxWaiting: 1 })
  const deps = {
    store: makeFailingStore(() => []),
    clock: systemClock,
    queue,
    maxQueryMemoryBytes: 400_000_000,
    keptFreeBytes: 0,
  }
  const threads = () => {
    return limitedQuery({ sql: 'SELECT 1' }, TURN, deps).settings?.max_threads
  }
  const first = await queue.enter('a')
  const alone = threads()
  const second = await queue.enter('b')
  const beside = threads()
  if (typeof second === 'function') second()
  expect([alone, beside, threads()]).toEqual([2, 1, 2])
  if (typeof first === 'function') first()
})
