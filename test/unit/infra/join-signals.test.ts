// Several signals as one: what ends it, and that nothing of it is kept by those that live on.
import { describe, expect, it } from 'vitest'
import { joinSignals } from '../../../infra/join-signals.ts'
import { usedBytes } from '../../support/machine/used-bytes.ts'

describe('joined signals', () => {
  it.each([0, 1])('end with the first that ends, for its reason (%i)', (at) => {
    const sources = [new AbortController(), new AbortController()]
    const { signal } = joinSignals(sources.map((source) => source.signal))
    expect(signal.aborted).toBe(false)
    sources[at]?.abort('late')
    expect([signal.aborted, signal.reason]).toEqual([true, 'late'])
  })

  it('are over at once when one of them is', () => {
    const { signal } = joinSignals([new AbortController().signal, AbortSignal.abort('before')])
    expect([signal.aborted, signal.reason]).toEqual([true, 'before'])
  })

  it('do not end any more once they were left', () => {
    const source = new AbortController()
    const { signal, leave } = joinSignals([source.signal])
    leave()
    source.abort()
    expect(signal.aborted).toBe(false)
  })

  it('leave nothing behind in signals that live on', async () => {
    const sources = [new AbortController(), new AbortController()].map(({ signal }) => signal)
    const join = (count: number) => {
      for (let n = 0; n < count; n += 1) joinSignals(sources).leave()
    }
    join(1000)
    const before = await usedBytes()
    join(20_000)
    // AbortSignal.any: four million.
    expect((await usedBytes()) - before).toBeLessThan(1_000_000)
  })
})
