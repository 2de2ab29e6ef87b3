import { describe, expect, it } from 'vitest'
import { SharedWork } from '../../../../infra/access/shared-work.ts'

const reason = new Error('gone')

function start() {
  let end = (_: string): void => undefined
  let signal: AbortSignal | undefined
  const work = new SharedWork<string>((given) => {
    signal = given
    return new Promise((resolve, reject) => {
      end = resolve
      given.addEventListener('abort', () => reject(new Error('left')), { once: true })
    })
  })
  const gone = new AbortController()
  return { work, gone, end: (value: string) => end(value), isLeft: () => signal?.aborted }
}

describe('work that several wait for', () => {
  it('goes on while one of them waits', async () => {
    const { work, gone, end, isLeft } = start()
    const [first, second] = [work.wait(gone.signal), work.wait()]
    gone.abort(reason)
    await expect(first).rejects.toBe(reason)
    expect([isLeft(), work.isLeft]).toEqual([false, false])
    end('done')
    expect(await second).toBe('done')
  })

  it('ends when the last has gone', async () => {
    const { work, gone, isLeft } = start()
    const waits = [work.wait(gone.signal), work.wait(gone.signal)]
    gone.abort(reason)
    for (const wait of waits) await expect(wait).rejects.toBe(reason)
    expect([isLeft(), work.isLeft]).toEqual([true, true])
  })
})
