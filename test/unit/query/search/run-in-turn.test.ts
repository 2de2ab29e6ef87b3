import { expect, it } from 'vitest'
import { systemClock } from '../../../../infra/clock.ts'
import { FairQueue } from '../../../../query/fair-queue.ts'
import { limitedQuery } from '../../../../query/search/run-in-turn.ts'
import { makeFailingStore } from '../../../support/failing-store.ts'

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
    const turn = { userId: 1, deadlineMs: 1000, signal: new AbortController().signal }
    return limitedQuery({ sql: 'SELECT 1' }, turn, deps).settings?.max_threads
  }
  const first = await queue.enter('a')
  const alone = threads()
  const second = await queue.enter('b')
  const beside = threads()
  if (typeof second === 'function') second()
  expect([alone, beside, threads()]).toEqual([2, 1, 2])
  if (typeof first === 'function') first()
})
