// CloudEvents as their senders meet the listener (docs/decisions/0031): real HTTP, real event log.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ExplainRequest } from '../../../ingest/listener/explain.ts'
import { describeEngines, useServers } from '../../support/apps/http-server.ts'
import {
  type Answer,
  eventsOf,
  getReceipt,
  NOTHING,
  SUCCESS,
  startListener,
  type TestListener,
} from '../../support/apps/listener-server.ts'

useServers()

const ONE = 'application/cloudevents+json'
const BATCH = 'application/cloudevents-batch+json; charset=utf-8'
const PLACE = {
  path: '',
  log: 'l',
  host: 'h',
  template: null,
  pattern: null,
  columns: {},
  time: '',
}

function makeEvent(changes: object = {}): string {
  const event = { specversion: '1.0', id: '1', source: '/orders', type: 'order.paid' }
  return JSON.stringify({ ...event, ...changes })
}

describeEngines('the listener of CloudEvents', ({ name: engine }) => {
  let one: TestListener
  const asked: ExplainRequest[] = []

  beforeAll(async () => {
    const limits = { maxEventBytes: 1000, maxBodyBytes: 20_000, maxEvents: 100 }
    const explain = async (request: ExplainRequest) => {
      asked.push(request)
      return Array.from({ length: request.ranges.length / 2 }, () => PLACE)
    }
    one = await startListener({ engine, limits, explain })
  })
  afterAll(() => one.close())

  function send(
    body: string | Uint8Array,
    type = ONE,
    { query = 'token=good', ...headers }: Record<string, string> = {},
  ): Promise<Answer> {
    const path = '/logeye/api/cloudevents'
    return one.post(body, { path, query, headers: { 'content-type': type, ...headers } })
  }

  it('takes one event, to the byte, with its form and source', async () => {
    const text = ` ${makeEvent({ data: { message: 'größer' } })}\n`
    const answer = await send(text, ONE, {
      query: 'token=good&hostName=web-1',
      'Idempotency-Key': 'k',
    })
    expect(answer).toMatchObject({ status: 200, body: { ...SUCCESS, received: 1, accepted: 1 } })
    const request = (await one.stored()).at(-1)
    expect(request).toMatchObject({
      accountId: 7,
      hostName: 'web-1',
      peer: '127.0.0.1',
      idempotencyKey: 'k',
      form: 'cloudevents',
      origins: { places: [{ host: '', source: '/orders' }], placeOf: Uint32Array.of(0) },
    })
    expect(Buffer.from(request?.body ?? []).toString()).toBe(text)
    const receipt = await getReceipt(one.url, `token=good&receipt=${String(answer.body.receipt)}`)
    expect(receipt.body).toMatchObject({ durable: true })
  })

  it('takes a batch, rejects what is no CloudEvent in it, and keeps its bytes', async () => {
    const events = [
      makeEvent(),
      makeEvent({ type: '' }),
      makeEvent({ source: '/stock', time: '2026-01-02T03:04:05Z' }),
      makeEvent({ time: 'yesterday' }),
      makeEvent({ data: 'x'.repeat(1000) }),
      makeEvent({ specversion: '0.3' }),
      makeEvent({ id: 'last' }),
    ]
    const answer = await send(`[${events.join(',')}]`, BATCH)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      ...{ code: 0, received: 7, accepted: 3, rejected: 4 },
      errors: [
        {
          index: 1,
          code: 'missing_attribute',
          message:
            'a CloudEvent needs the attributes id, source and type as texts that are not empty',
        },
        { index: 3, code: 'bad_time' },
        { index: 4, code: 'too_large' },
        { index: 5, code: 'bad_specversion' },
      ],
    })
    const request = (await one.stored()).at(-1)
    expect(request && eventsOf(request)).toEqual([events[0], events[2], events[6]])
    expect(request?.origins?.places.map(({ source }) => source)).toEqual(['/orders', '/stock'])
    expect(request?.origins?.placeOf).toEqual(Uint32Array.of(0, 1, 0))
    const body = Buffer.from(request?.body ?? [])
    const rejected = request?.rejections.map(({ start, end }) => body.toString('utf8', start, end))
    expect(rejected).toEqual([events[1], events[3], events[4], events[5]])
  })

  it.each([
    ['an event without attributes', '{"message":"m"}', 6, 1],
    ['a batch of nothing but those', '[{},{}]', 6, 2],
    ['an empty batch', '[]', 5, 0],
    ['an empty body', '', 5, 0],
    ['a batch that is cut', `[${makeEvent()},`, 6, 2],
    ['what is no JSON', 'specversion=1.0', 6, 1],
  ])('refuses %s, and stores nothing of it', async (_, body, code, received) => {
    const before = (await one.stored()).length
    const answer = await send(body, BATCH)
    expect(answer).toMatchObject({ status: 400, body: { code, received, accepted: 0 } })
    expect(await one.stored()).toHaveLength(before)
  })

  it.each([
    ['binary mode', 'application/json', { 'ce-id': '1', 'ce-specversion': '1.0' }],
    ['another format', 'application/cloudevents+avro', {}],
    ['a type that begins like it', 'application/cloudevents+jsonx', {}],
    ['text', 'text/plain', {}],
  ])('refuses %s and says what to send', async (_, type, headers) => {
    const answer = await send(makeEvent(), type, headers)
    expect(answer).toMatchObject({ status: 400, body: { code: 6, ...NOTHING } })
    expect(answer.body.text).toBe(
      'send Content-Type application/cloudevents+json or application/cloudevents-batch+json; binary mode is not supported',
    )
  })

  it('takes the token as a bearer, too, and the address goes first', async () => {
    const authorization = 'Bearer good'
    expect((await send(makeEvent(), ONE, { query: '', authorization })).status).toBe(200)
    const wrong = await send(makeEvent(), ONE, { query: 'token=wrong', authorization })
    expect(wrong).toMatchObject({ status: 400, body: { code: 4 } })
    const none = await send(makeEvent(), ONE, { query: '', authorization: 'Basic good' })
    expect(none.body.text).toBe('the token parameter is missing')
  })

  it('unpacks, and holds to the limits, as logger.jsp does', async () => {
    const body = gzipSync(`[${makeEvent()}]`)
    const packed = await send(body, BATCH, { 'content-encoding': 'gzip' })
    expect(packed.body).toMatchObject({ ...SUCCESS, accepted: 1 })
    const broken = await send(Buffer.from('no gzip'), BATCH, { 'content-encoding': 'gzip' })
    expect(broken.body).toMatchObject({ code: 6, text: 'the body cannot be decompressed' })
    const many = await send(`[${Array(101).fill('{}').join(',')}]`, BATCH)
    expect(many.body).toMatchObject({ code: 6, text: 'the body holds more than 100 events' })
    const large = await send(' '.repeat(20_001), BATCH)
    expect(large.body).toMatchObject({ text: 'the body is larger than 20000 bytes' })
    const get = await one.post('', { path: '/logeye/api/cloudevents', method: 'GET' })
    expect(get).toMatchObject({ status: 405 })
    expect(get.headers.get('allow')).toBe('POST')
  })

  it('asks with debug=1 by their form and sources, and stores nothing', async () => {
    const before = (await one.stored()).length
    const body = `[${makeEvent()},{},${makeEvent({ source: '/b' })}]`
    const answer = await send(body, BATCH, { query: 'token=good&debug=1&hostName=h' })
    expect(answer.body).toMatchObject({
      ...{ code: 0, received: 3, accepted: 2, rejected: 1, debug: true },
      events: [{ index: 0 }, { index: 2 }],
    })
    expect(asked.at(-1)).toMatchObject({
      ...{ form: 'cloudevents', hostName: 'h' },
      origins: { placeOf: Uint32Array.of(0, 1) },
    })
    expect(await one.stored()).toHaveLength(before)
  })
})
