// The listener when its engines are in trouble, when too much comes, and when it stops.
import { afterEach, describe, expect, it } from 'vitest'
import { decodeBlock } from '../../../schemas/block/codec.ts'
import { Failure } from '../../../schemas/failures.ts'
import {
  describeEngines,
  makeRoundTrips,
  talk,
  useServers,
} from '../../support/apps/http-server.ts'
import {
  type Answer,
  expectGoodRequestWorks,
  PATH,
  startListener,
  type TestListener,
} from '../../support/apps/listener-server.ts'
import { FakeEventLog } from '../../support/event-log/fake-event-log.ts'
import { makeManualClock } from '../../support/run/manual-clock.ts'
import { SOON } from '../../support/run/patience.ts'

useServers()

describeEngines('the listener in trouble', ({ name: engine }) => {
  const open: TestListener[] = []

  async function start(options: Parameters<typeof startListener>[0]): Promise<TestListener> {
    const listener = await startListener({ ...options, engine })
    open.push(listener)
    return listener
  }

  afterEach(async () => {
    for (const listener of open.splice(0)) await listener.close()
  })

  function expectBusy(answer: Answer, text: string, code: number): void {
    expect(answer).toMatchObject({ status: 500, body: { text, code, received: 0, accepted: 0 } })
    expect(answer.headers.get('retry-after')).toBe('1')
  }

  describe('event log in trouble', () => {
    it.each<[string, Error, string, number]>([
      ['full', new Failure('event_log.full'), 'the event log has reached its limit', 9],
      ['away', new Failure('event_log.unavailable'), 'the event log does not accept data', 8],
      ['broken', new TypeError('a bug with an event in its text'), 'internal error', 8],
    ])(
      'is answered 500 with Retry-After when %s, and is over when it is over',
      async (_, failure, text, code) => {
        const eventLog = new FakeEventLog()
        const listener = await start({ eventLog })
        await expectGoodRequestWorks(listener)
        eventLog.failure = failure
        expectBusy(await listener.post('{}'), text, code)
        expectBusy(await listener.post('{}'), text, code)
        expect(listener.listener.isReady()).toBe(false)
        expect(listener.logged.join()).not.toContain('a bug with')
        eventLog.failure = undefined
        await expectGoodRequestWorks(listener)
        expect(listener.listener.isReady()).toBe(true)
        const sequences = eventLog.blocks.map((block) => decodeBlock(block.bytes).sequence)
        expect(sequences).toEqual([1, 4])
      },
    )

    it('that is slow gathers requests into one block of the next append', async () => {
      const eventLog = new FakeEventLog()
      const listener = await start({ eventLog })
      eventLog.isHeld = true
      const first = listener.post('{"n":0}')
      await expect.poll(() => eventLog.running, SOON).toBe(1)
      const more = Array.from({ length: 50 }, (_, n) => listener.post(`{"n":${n + 1}}`))
      await expect
        .poll(() => listener.metrics.text(), SOON)
        .toMatch(/in_flight_bytes\{[^}]*\} 104\d{3}\n/)
      eventLog.release()
      const answers = await Promise.all([first, ...more])
      expect(answers.every((answer) => answer.status === 200)).toBe(true)
      expect(eventLog.blocks.map((block) => decodeBlock(block.bytes).requests.length)).toEqual([
        1, 50,
      ])
      expect(eventLog.mostRunning).toBe(1)
    })
  })

  describe('too much', () => {
    it('is answered 500 busy with flat memory, large bodies before they are read', async () => {
      const eventLog = new FakeEventLog()
      const listener = await start({ eventLog, limits: { maxBytesInFlight: 300_000 } })
      eventLog.isHeld = true
      const body = JSON.stringify({ message: 'x'.repeat(20_000) })
      let refused = 0
      const answers = Array.from({ length: 100 }, async () => {
        const answer = await listener.post(body)
        if (answer.status === 500) refused += 1
        return answer
      })
      await expect.poll(() => refused, SOON).toBe(87)
      expect(await listener.metrics.text()).toMatch(/in_flight_bytes\{[^}]*\} 2\d{5}\n/)
      const { text } = await talk(
        listener.port,
        [
          `POST ${PATH}?token=good HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n`,
          'x'.repeat(200_000),
        ],
        (answer) => answer.endsWith('}'),
      )
      expect(text).toContain('"code":9')
      eventLog.release()
      const statuses = (await Promise.all(answers)).map((answer) => answer.status)
      expect(statuses.filter((status) => status === 200).length).toBe(13)
      const stored = eventLog.blocks.flatMap((block) => decodeBlock(block.bytes).requests)
      expect(stored.length).toBe(statuses.filter((status) => status === 200).length)
      await expectGoodRequestWorks(listener)
      expect(await listener.metrics.text()).toMatch(/in_flight_bytes\{[^}]*\} 0\n/)
    })

    it('in small requests is counted with what a request costs beside its body', async () => {
      const eventLog = new FakeEventLog()
      const listener = await start({ eventLog, limits: { maxBytesInFlight: 100_000 } })
      eventLog.isHeld = true
      let refused = 0
      const answers = Array.from({ length: 200 }, async () => {
        const answer = await listener.post('{}')
        if (answer.status === 500) refused += 1
      })
      await expect.poll(() => refused, SOON).toBe(200 - Math.floor(100_000 / 2050))
      eventLog.release()
      await Promise.all(answers)
      expect(refused).toBe(200 - Math.floor(100_000 / 2050))
    })
  })

  it('counts what it holds of tiny events beside their bodies', async () => {
    const eventLog = new FakeEventLog()
    const listener = await start({ eventLog, limits: { maxBytesInFlight: 4_000_000 } })
    eventLog.isHeld = true
    const body = `${'1\n'.repeat(20_000)}{}`
    let refused = 0
    const answers = Array.from({ length: 10 }, async () => {
      const answer = await listener.post(body)
      if (answer.status === 500) refused += 1
      return answer.status
    })
    // Each holds 1.5 MB, of which its body is 40 KB.
    await expect.poll(() => refused, SOON).toBe(8)
    eventLog.release()
    expect((await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(2)
    await expectGoodRequestWorks(listener)
    expect(await listener.metrics.text()).toMatch(/in_flight_bytes\{[^}]*\} 0\n/)
  })

  describe('disk reserve', () => {
    it('refuses before anything fails', async () => {
      const listener = await start({ limits: { diskReserveBytes: Number.MAX_SAFE_INTEGER } })
      expectBusy(await listener.post('{}'), 'the disk reserve is reached', 9)
      expect(listener.listener.isReady()).toBe(false)
    })
  })

  describe('stop', () => {
    it('answers what has arrived and refuses what comes', async () => {
      const eventLog = new FakeEventLog()
      const listener = await start({ eventLog })
      eventLog.isHeld = true
      const early = listener.post('{"early":1}')
      await expect.poll(() => eventLog.running, SOON).toBe(1)
      const gathered = listener.post('{"early":2}')
      await expect
        .poll(() => listener.metrics.text(), SOON)
        .toMatch(/in_flight_bytes\{[^}]*\} 4\d{3}\n/)
      const stopped = listener.listener.stop()
      expectBusy(await listener.post('{"late":1}'), 'the server is busy', 9)
      eventLog.release()
      expect((await early).status).toBe(200)
      expect((await gathered).status).toBe(200)
      await stopped
      expect(eventLog.blocks).toHaveLength(2)
    })

    it('waits 3 s for an event log that hangs, not for ever', async () => {
      const eventLog = new FakeEventLog()
      const clock = makeManualClock()
      const listener = await start({ eventLog, clock })
      eventLog.isHeld = true
      const early = listener.post('{}')
      await expect.poll(() => eventLog.running, SOON).toBe(1)
      let isStopped = false
      const stopping = listener.listener.stop().then(() => {
        isStopped = true
      })
      clock.advance(2999)
      await makeRoundTrips(20, `${listener.url}/other`)
      expect(isStopped).toBe(false)
      clock.advance(1)
      await stopping
      eventLog.release()
      expect((await early).status).toBe(200)
    })
  })

  describe('metrics', () => {
    it('count requests by answer, events by state, bytes, and appends', async () => {
      const listener = await start({})
      await listener.post('{}\n17\n')
      await listener.post('[]')
      await listener.post('{}', { query: 'token=nobody' })
      const text = await listener.metrics.text()
      const value = (name: string, label: string) =>
        text
          .split('\n')
          .find((line) => line.startsWith(`${name}{`) && line.includes(label))
          ?.split(' ')
          .at(-1)
      expect(value('logeye_listener_requests_total', 'answer="success"')).toBe('1')
      expect(value('logeye_listener_requests_total', 'answer="no_data"')).toBe('1')
      expect(value('logeye_listener_requests_total', 'answer="token_invalid"')).toBe('1')
      expect(value('logeye_listener_events_total', 'state="received"')).toBe('2')
      expect(value('logeye_listener_events_total', 'state="accepted"')).toBe('1')
      expect(value('logeye_listener_events_total', 'state="rejected"')).toBe('1')
      expect(value('logeye_listener_bytes_total', '')).toBe('6')
      expect(value('logeye_listener_append_seconds_count', 'result="durable"')).toBe('1')
    })
  })
})
