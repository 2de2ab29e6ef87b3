import { describe, expect, it } from 'vitest'
import { watchedInsert } from '../../../../query/search/results/watched-insert.ts'
import { Failure } from '../../../../schemas/failures.ts'

const clock = { sleep: async () => await new Promise<void>((done) => setImmediate(done)) }

/** An insert that runs until it is ended, or for so many checks. */
function endless(isOver: () => boolean = () => false) {
  return async (signal: AbortSignal) => {
    for (let n = 0; n < 10_000 && !isOver(); n += 1) {
      await clock.sleep()
      if (signal.aborted) throw new Failure('store.cancelled')
    }
  }
}

describe('an insert that is watched', () => {
  it('is ended by the first check beyond the quota, and fails with it', async () => {
    let checks = 0
    const check = async () => {
      checks += 1
      if (checks === 3) throw new Failure('search.quota', { limit: '3 bytes' })
    }
    const never = new AbortController().signal
    await expect(watchedInsert(endless(), check, never, clock)).rejects.toMatchObject({
      code: 'search.quota',
    })
    expect(checks).toBe(3)
  })

  it('goes on over checks that cannot be made, to its end', async () => {
    let checks = 0
    const check = async () => {
      checks += 1
      throw new Failure('store.unavailable')
    }
    await watchedInsert(
      endless(() => checks > 5),
      check,
      new AbortController().signal,
      clock,
    )
    expect(checks).toBeGreaterThan(5)
  })

  it('fails with its own failure, also when its search is ended from outside', async () => {
    const stop = new AbortController()
    const check = async () => stop.abort()
    await expect(watchedInsert(endless(), check, stop.signal, clock)).rejects.toMatchObject({
      code: 'store.cancelled',
    })
  })
})
