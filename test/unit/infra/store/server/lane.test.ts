import { describe, expect, it } from 'vitest'
import { Lane } from '../../../../../infra/store/server/lane.ts'

const never = new AbortController().signal
const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('a lane of sessions', () => {
  it('serves in order of arrival, each session to one asker at a time', async () => {
    const lane = new Lane(['a', 'b'], { reserved: 0, maxWaiting: 10 })
    const served: string[] = []
    const ask = async (name: string) => {
      const session = await lane.acquire({ signal: never })
      served.push(name)
      return session
    }
    const [first, second] = await Promise.all([ask('1'), ask('2')])
    expect(new Set([first, second])).toEqual(new Set(['a', 'b']))
    const waiting = [ask('3'), ask('4')]
    await tick()
    expect(served).toEqual(['1', '2'])
    lane.release(second)
    lane.release(first)
    expect(await Promise.all(waiting)).toEqual([second, first])
    expect(served).toEqual(['1', '2', '3', '4'])
  })

  it('keeps the reserved ones for urgent askers', async () => {
    const lane = new Lane(['a', 'b'], { reserved: 1, maxWaiting: 10 })
    const first = await lane.acquire({ signal: never })
    let isServed = false
    const waiting = lane.acquire({ signal: never }).then((session) => {
      isServed = true
      return session
    })
    const urgent = await lane.acquire({ signal: never, isUrgent: true })
    expect(new Set([first, urgent]).size).toBe(2)
    lane.release(urgent)
    await tick()
    expect(isServed).toBe(false)
    lane.release(first)
    expect(await waiting).toBe(first)
  })

  it('an asker that gives up leaves the queue with its reason, and takes no session', async () => {
    const lane = new Lane(['a'], { reserved: 0, maxWaiting: 10 })
    const session = await lane.acquire({ signal: never })
    const controller = new AbortController()
    const gone = lane.acquire({ signal: controller.signal })
    const next = lane.acquire({ signal: never })
    controller.abort(new Error('gone'))
    await expect(gone).rejects.toThrow('gone')
    lane.release(session)
    expect(await next).toBe('a')
    await expect(lane.acquire({ signal: controller.signal })).rejects.toThrow('gone')
  })

  it('refuses who comes when too many wait', async () => {
    const lane = new Lane<string>([], { reserved: 0, maxWaiting: 2 })
    void lane.acquire({ signal: never })
    void lane.acquire({ signal: never })
    await expect(lane.acquire({ signal: never })).rejects.toMatchObject({ code: 202 })
  })
})
