import { describe, expect, it } from 'vitest'
import { openSearchSignal } from '../../../../query/edge/search-signal.ts'
import { isFailure } from '../../../../schemas/failures.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

function open(deadlineMs = 100) {
  const clock = makeManualClock()
  const client = new AbortController()
  const product = new AbortController()
  const search = openSearchSignal({
    clock,
    deadlineMs,
    timeoutMs: 100,
    cancelOn: [client.signal, product.signal],
  })
  const reason = () => {
    const given: unknown = search.signal.reason
    return isFailure(given) ? given.code : given
  }
  return { clock, client, product, search, reason }
}

describe('the signal of a search', () => {
  it('ends it when its time is over, not before', async () => {
    const { clock, search, reason } = open()
    clock.advance(99)
    await turn()
    expect(search.signal.aborted).toBe(false)
    clock.advance(1)
    await turn()
    expect(reason()).toBe('search.timeout')
  })

  it('has ended at once when the time was over before it began', () => {
    expect(open(0).reason()).toBe('search.timeout')
  })

  it('cancels when somebody asks, when the client goes away, when the product stops', () => {
    const asked = open()
    asked.search.cancel()
    const gone = open()
    gone.client.abort()
    const stopped = open()
    stopped.product.abort()
    expect([asked.reason(), gone.reason(), stopped.reason()]).toEqual(
      Array.from({ length: 3 }, () => 'search.cancelled'),
    )
  })

  it('keeps the first reason', async () => {
    const { clock, search, reason } = open()
    search.cancel()
    clock.advance(1000)
    await turn()
    expect(reason()).toBe('search.cancelled')
  })

  it('is left alone once it is closed', async () => {
    const { clock, client, search } = open()
    search.close()
    client.abort()
    clock.advance(1000)
    await turn()
    expect(search.signal.aborted).toBe(false)
  })
})
