// Every kind of bad, compressed, slow and cut body, each followed by a good request (decisions
// 2.1-2.3).
import { once } from 'node:events'
import { connect } from 'node:net'
import * as zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeEngines, talk, useServers } from '../../support/apps/http-server.ts'
import {
  eventsOf,
  expectGoodRequestWorks,
  NOTHING,
  PATH,
  SUCCESS,
  startListener,
  type TestListener,
} from '../../support/apps/listener-server.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

useServers()

const MIB = 1024 * 1024

describeEngines('bodies', ({ name: engine }) => {
  let one: TestListener

  beforeAll(async () => {
    one = await startListener({ engine })
  })

  afterAll(async () => {
    await one.close()
  })

  describe('a bad body', () => {
    const bomb = zlib.gzipSync(Buffer.alloc(200 * MIB, 0x20))
    const cut = zlib.gzipSync('{"message":"cut"}').subarray(0, 20)
    it.each<[string, string | Buffer, Record<string, string>, Record<string, unknown>]>([
      ['empty', '', {}, { code: 5, text: 'the body holds no event', ...NOTHING }],
      ['white space', ' \n', {}, { code: 5, ...NOTHING }],
      ['an empty array', '[]', {}, { code: 5, ...NOTHING }],
      ['broken JSON', '{"a":', {}, { code: 6, received: 1, accepted: 0, rejected: 1 }],
      ['a broken array', '[{"a":1},{"b"]', {}, { code: 6, received: 2, accepted: 0, rejected: 2 }],
      ['a number', '17', {}, { code: 6, text: 'an event must be a JSON object', rejected: 1 }],
      [
        '11 MiB',
        Buffer.alloc(11 * MIB, 0x20),
        {},
        {
          code: 6,
          text: 'the body is larger than 10485760 bytes',
          ...NOTHING,
        },
      ],
      [
        '100,001 events',
        '{}'.repeat(100_001),
        {},
        {
          code: 6,
          text: 'the body holds more than 100000 events',
          ...NOTHING,
        },
      ],
      [
        'depth 33',
        `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
        {},
        {
          code: 6,
          text: 'an event is nested deeper than 32 levels',
          received: 1,
          rejected: 1,
        },
      ],
      [
        'depth 10,000',
        `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
        {},
        {
          code: 6,
          text: 'an event is nested deeper than 32 levels',
        },
      ],
      ['depth 1,000,000, not closed', '['.repeat(1_000_000), {}, { code: 6 }],
      [
        '1,025 columns',
        JSON.stringify(Object.fromEntries(Array.from({ length: 1025 }, (_, n) => [n, n]))),
        {},
        {
          code: 6,
          text: 'an event has more than 1024 columns',
        },
      ],
      [
        'an event above 1 MiB',
        `{"a":"${'x'.repeat(MIB)}"}`,
        {},
        {
          code: 6,
          text: 'an event is larger than 1048576 bytes',
        },
      ],
      [
        'no gzip',
        '{"a":1}',
        { 'Content-Encoding': 'gzip' },
        {
          code: 6,
          text: 'the body cannot be decompressed',
          ...NOTHING,
        },
      ],
      ['cut gzip', cut, { 'Content-Encoding': 'gzip' }, { code: 6 }],
      [
        'a gzip bomb',
        bomb,
        { 'Content-Encoding': 'gzip' },
        {
          code: 6,
          text: 'the body is larger than 10485760 bytes',
        },
      ],
      [
        'an unknown encoding',
        'x',
        { 'Content-Encoding': 'br' },
        {
          code: 6,
          text: 'the content encoding is not supported',
        },
      ],
      [
        'two encodings',
        'x',
        { 'Content-Encoding': 'gzip, deflate' },
        {
          code: 6,
          text: 'the content encoding is not supported',
        },
      ],
    ])('is refused: %s', async (_, body, headers, expected) => {
      const before = (await one.stored()).length
      const answer = await one.post(body, { headers })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject(expected)
      expect(answer.body).not.toHaveProperty('receipt')
      expect((await one.stored()).length).toBe(before)
      await expectGoodRequestWorks(one)
    })

    it('is only as bad as its events: depth 32 and the good neighbours of bad ones are taken', async () => {
      const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
      const answer = await one.post(`${deep(33)}\n${deep(32)}\n{"__proto__":1,"a":1e400}\n`)
      expect(answer.body).toMatchObject({ received: 3, accepted: 2, rejected: 1 })
    })

    it('with another method is 405 and says which is allowed', async () => {
      for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
        const answer = await one.post('{}', { method })
        expect(answer.status).toBe(405)
        expect(answer.headers.get('allow')).toBe('POST')
      }
      await expectGoodRequestWorks(one)
    })
  })

  describe('compressed bodies', () => {
    const text = '{"message":"größer"}\n'.repeat(40_000)
    const multi = Buffer.concat([zlib.gzipSync('{"a":1}\n'), zlib.gzipSync('{"a":2}\n')])
    it.each<[string, Buffer, string, number]>([
      ['gzip', zlib.gzipSync(text), 'gzip', 40_000],
      ['small gzip', zlib.gzipSync('{"a":1}'), 'GZIP', 1],
      ['x-gzip beside identity', zlib.gzipSync('{"a":1}'), 'identity, x-gzip', 1],
      ['two gzip members', multi, 'gzip', 2],
      ['deflate', zlib.deflateSync(text), 'deflate', 40_000],
      ['bare deflate', zlib.deflateRawSync(text), 'deflate', 40_000],
    ])('are taken: %s', async (_, body, encoding, events) => {
      const answer = await one.post(body, { headers: { 'Content-Encoding': encoding } })
      expect(answer.body).toMatchObject({ ...SUCCESS, accepted: events })
      const stored = (await one.stored()).at(-1)
      expect(stored && eventsOf(stored)).toHaveLength(events)
    })
  })

  describe('bodies that come in their own way', () => {
    const head = `POST ${PATH}?token=good HTTP/1.1\r\nHost: x\r\n`

    it('takes chunked ones', async () => {
      const chunks = ['7\r\n{"a":1}\r\n', '1\r\n\n\r\n', '7\r\n{"b":2}\r\n', '0\r\n\r\n']
      const { text } = await talk(
        one.port,
        [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...chunks],
        isJson,
      )
      expect(text).toContain('"accepted":2')
      await expectGoodRequestWorks(one)
    })

    it('takes slow ones, byte by byte', async () => {
      const body = '{"message":"slow"}'
      const parts = [`${head}Content-Length: ${body.length}\r\n\r\n`, ...body]
      const { text } = await talk(one.port, parts, isJson)
      expect(text).toContain('"accepted":1')
      await expectGoodRequestWorks(one)
    })

    it('forgets aborted ones and gives their memory back', async () => {
      const heldBytes = async () => {
        const text = await one.metrics.text()
        return Number(/logeye_listener_in_flight_bytes\{[^}]*\} (\d+)\n/.exec(text)?.[1])
      }
      const before = (await one.stored()).length
      for (let n = 0; n < 20; n += 1) {
        const socket = connect(one.port, '127.0.0.1')
        await once(socket, 'connect')
        socket.write(`${head}Content-Length: 5000000\r\n\r\n{"a":"${'x'.repeat(200_000)}`)
        await waitUntil('the listener holds some of it', async () => (await heldBytes()) > 0)
        socket.destroy()
        await waitUntil('it is given back', async () => (await heldBytes()) === 0)
      }
      expect((await one.stored()).length).toBe(before)
      await expectGoodRequestWorks(one)
    })
  })
})

function isJson(text: string): boolean {
  return text.includes('\r\n\r\n{') && text.endsWith('}')
}
