// That the campaign's links do what their names say: a campaign whose faults are none would find
// nothing.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  startToxiproxy,
  type ToxicLink,
  type Toxiproxy,
  toxiproxyMissing,
} from '../../support/network/toxiproxy.ts'
import { describeUnless } from '../../support/run/skip.ts'

const ANSWER = 'x'.repeat(200_000)

describeUnless(toxiproxyMissing(), 'a link through toxiproxy', () => {
  let server: Server
  let toxiproxy: Toxiproxy
  let link: ToxicLink
  let asked = 0

  beforeAll(async () => {
    server = createServer((_, answer) => {
      asked += 1
      answer.setHeader('connection', 'close').end(ANSWER)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    toxiproxy = await startToxiproxy()
    link = await toxiproxy.link('one', address.port)
  })

  afterAll(async () => {
    await toxiproxy.stop()
    server.closeAllConnections()
    server.close()
  })

  const ask = async (limitMs = 5000): Promise<'whole' | 'broken' | 'late'> => {
    try {
      const signal = AbortSignal.timeout(limitMs)
      const text = await (await fetch(`http://127.0.0.1:${link.port}`, { signal })).text()
      return text === ANSWER ? 'whole' : 'broken'
    } catch (error) {
      return error instanceof Error && error.name === 'TimeoutError' ? 'late' : 'broken'
    }
  }

  it.each<[string, (link: ToxicLink) => Promise<void>, string, number]>([
    ['shut lets nobody in', (it) => it.shut(), 'broken', 0],
    ['loses requests', (it) => it.add({ type: 'timeout', timeout: 0 }, 'up'), 'late', 0],
    [
      'loses answers to what was done',
      (it) => it.add({ type: 'timeout', timeout: 100 }, 'down'),
      'broken',
      1,
    ],
    [
      'cuts an answer in the middle',
      (it) => it.add({ type: 'limit_data', bytes: 50_000 }, 'down'),
      'broken',
      1,
    ],
    ['resets', (it) => it.add({ type: 'reset_peer', timeout: 0 }, 'down'), 'broken', 1],
  ])('%s, and is healed', async (_, disturb, expected, works) => {
    expect(await ask()).toBe('whole')
    const before = asked
    await disturb(link)
    expect(await ask(expected === 'late' ? 500 : 10_000)).toBe(expected)
    expect(asked - before).toBe(works)
    await link.heal()
    expect(await ask()).toBe('whole')
  })

  it('delays, slows and is healed with all others', async () => {
    await link.add({ type: 'latency', latency: 3000, jitter: 0 }, 'down')
    expect(await ask(500)).toBe('late')
    await link.heal()
    await link.add({ type: 'bandwidth', rate: 20 }, 'down')
    expect(await ask(800)).toBe('late')
    await link.add({ type: 'slow_close', delay: 1000 }, 'down')
    await toxiproxy.healAll()
    expect(await ask(60_000)).toBe('whole')
  })

  it('does not start without its program', async () => {
    await expect(startToxiproxy('/nowhere/toxiproxy')).rejects.toThrow('does not start')
  })
})
