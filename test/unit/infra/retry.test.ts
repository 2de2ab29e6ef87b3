import { describe, expect, it } from 'vitest'
import type { Clock } from '../../../infra/clock.ts'
import { retry } from '../../../infra/retry.ts'
import { Failure } from '../../../schemas/failures.ts'

/** Time passes only by sleeping. */
function makeClock(): Clock & { slept: number[] } {
  let now = 0
  const slept: number[] = []
  return {
    slept,
    nowMs: () => now,
    elapsedMs: () => now,
    sleep: (ms) => {
      slept.push(ms)
      now += ms
      return Promise.resolve()
    },
    randomBytes: (count) => Buffer.alloc(count, 255),
  }
}
const away = () => new Failure('store.unavailable')

describe('retry', () => {
  it('repeats a retriable failure with waits that double up to a ceiling', async () => {
    const clock = makeClock()
    let calls = 0
    const run = () => (++calls < 6 ? Promise.reject(away()) : Promise.resolve('done'))
    const result = await retry(run, { clock, limitMs: 60_000, firstDelayMs: 100, maxDelayMs: 500 })
    expect(result).toBe('done')
    expect(clock.slept.map((ms) => Math.round(ms / 50) * 50)).toEqual([100, 200, 400, 500, 500])
  })

  it.each([new Failure('store.data'), new Error('bug'), 'text'])(
    'gives up at once for %s',
    async (error) => {
      const clock = makeClock()
      await expect(retry(() => Promise.reject(error), { clock, limitMs: 1000 })).rejects.toBe(error)
      expect(clock.slept).toEqual([])
    },
  )

  it('ends at the total limit with the last failure', async () => {
    const clock = makeClock()
    const run = () => Promise.reject(away())
    await expect(retry(run, { clock, limitMs: 2000 })).rejects.toMatchObject({
      code: 'store.unavailable',
    })
    expect(clock.elapsedMs()).toBeLessThanOrEqual(2000)
    expect(clock.slept.length).toBeGreaterThan(3)
  })

  it('ends at an abort', async () => {
    const clock = makeClock()
    const abort = new AbortController()
    let calls = 0
    const run = () => {
      calls += 1
      if (calls === 2) abort.abort()
      return Promise.reject(away())
    }
    await expect(retry(run, { clock, limitMs: 60_000, signal: abort.signal })).rejects.toThrow()
    expect(calls).toBe(2)
  })
})
