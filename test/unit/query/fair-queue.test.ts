import { describe, expect, it } from 'vitest'
import { FairQueue } from '../../../infra/fair-queue.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Enters and notes the name when the place is given. */
function enter(queue: FairQueue, order: string[], name: string, signal?: AbortSignal) {
  const place = queue.enter(name.slice(0, 1), signal).then((got) => {
    order.push(typeof got === 'string' ? `${name} ${got}` : name)
    return got
  })
  return place
}

describe('FairQueue', () => {
  it('runs as many as there are places and keeps the rest waiting', async () => {
    const queue = new FairQueue({ maxRunning: 2, maxWaiting: 10 })
    const order: string[] = []
    const first = enter(queue, order, 'a1')
    void enter(queue, order, 'a2')
    void enter(queue, order, 'a3')
    await turn()
    expect([order, queue.running, queue.waiting]).toEqual([['a1', 'a2'], 2, 1])
    const leave = await first
    if (typeof leave === 'string') throw new Error(leave)
    leave()
    leave()
    await turn()
    expect([order, queue.running, queue.waiting]).toEqual([['a1', 'a2', 'a3'], 2, 0])
  })

  it('serves the owners in turn, not in the order of arrival', async () => {
    const queue = new FairQueue({ maxRunning: 1, maxWaiting: 10 })
    const order: string[] = []
    const places = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) =>
      enter(queue, order, name),
    )
    for (let step = 0; step < places.length; step += 1) {
      await turn()
      const running = order.at(-1)
      const index = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].indexOf(running ?? '')
      const leave = await places[index]
      if (typeof leave === 'function') leave()
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
    expect([queue.running, queue.waiting]).toEqual([0, 0])
  })

  it('keeps a place for somebody else where an owner may not hold all of them', async () => {
    const queue = new FairQueue({ maxRunning: 3, maxWaiting: 10, maxRunningOfOne: 2 })
    const order: string[] = []
    const first = enter(queue, order, 'a1')
    for (const name of ['a2', 'a3', 'a4', 'b1', 'b2']) void enter(queue, order, name)
    await turn()
    expect([order, queue.running, queue.waiting]).toEqual([['a1', 'a2', 'b1'], 3, 3])
    const leave = await first
    if (typeof leave === 'function') leave()
    await turn()
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('refuses at once when there is no room to wait', async () => {
    const queue = new FairQueue({ maxRunning: 1, maxWaiting: 1 })
    const order: string[] = []
    void enter(queue, order, 'a1')
    void enter(queue, order, 'a2')
    expect(await enter(queue, order, 'a3')).toBe('full')
  })

  it('pushes out the newest of who waits most for an owner who waits less', async () => {
    const queue = new FairQueue({ maxRunning: 1, maxWaiting: 3 })
    const order: string[] = []
    for (const name of ['a1', 'a2', 'a3', 'a4']) void enter(queue, order, name)
    void enter(queue, order, 'b1')
    await turn()
    expect(order).toEqual(['a1', 'a4 full'])
    expect(queue.waiting).toBe(3)
  })

  it('forgets a waiter that gives up, and takes none that has given up already', async () => {
    const queue = new FairQueue({ maxRunning: 1, maxWaiting: 3 })
    const order: string[] = []
    const stop = new AbortController()
    const first = enter(queue, order, 'a1')
    const second = enter(queue, order, 'b1', stop.signal)
    stop.abort()
    expect(await second).toBe('aborted')
    expect(await enter(queue, order, 'c1', stop.signal)).toBe('aborted')
    const leave = await first
    if (typeof leave === 'function') leave()
    expect([queue.running, queue.waiting]).toEqual([0, 0])
  })
})
