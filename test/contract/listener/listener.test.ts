// The listener as its senders meet it: real HTTP, real event log.
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Failure } from '../../../schemas/failures.ts'
import { describeEngines, useServers } from '../../support/apps/http-server.ts'
import {
  ACCOUNTS,
  eventsOf,
  expectGoodRequestWorks,
  getReceipt,
  NOTHING,
  SUCCESS,
  startListener,
  type TestListener,
} from '../../support/apps/listener-server.ts'
import { FakeEventLog } from '../../support/event-log/fake-event-log.ts'
import { makeAccount } from '../../support/ingest/split-event.ts'

useServers()

const MIB = 1024 * 1024

describeEngines('the listener', ({ name: engine }) => {
  let one: TestListener

  beforeAll(async () => {
    one = await startListener({ engine })
  })

  afterAll(async () => {
    await one.close()
  })

  describe('a good request', () => {
    it('is in the event log, to the byte, when the answer says 200', async () => {
      const body = Buffer.from('\ufeff{"message":"größer \\ud800","n":1.10}\n"text"\r\n{"n":30}')
      const answer = await one.post(body, {
        query: 'token=good&hostName=%20web%2001+&x=1',
        headers: { 'Idempotency-Key': 'abc', 'content-type': 'application/json; charset=utf-8' },
      })
      expect(answer).toMatchObject({
        status: 200,
        body: { ...SUCCESS, received: 3, accepted: 3, rejected: 0 },
      })
      expect(answer.headers.get('content-type')).toBe('application/json')
      const request = (await one.stored()).at(-1)
      expect(request).toMatchObject({
        accountId: 7,
        accountVersion: 3,
        hostName: 'web 01',
        peer: '127.0.0.1',
        idempotencyKey: 'abc',
        rejections: [],
      })
      expect(Buffer.from(request?.body ?? [])).toEqual(body)
      expect(request && eventsOf(request)).toEqual([
        '{"message":"größer \\ud800","n":1.10}',
        '"text"',
        '{"n":30}',
      ])
    })

    it('tells which events were rejected and keeps their bytes', async () => {
      const answer = await one.post('{"a":1}\nnull\n{"b":\n{"c":1}')
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({
        code: 0,
        received: 4,
        accepted: 2,
        rejected: 2,
        errors: [
          { index: 1, code: 'not_an_object', message: 'an event must be a JSON object' },
          { index: 2, code: 'invalid_json', message: 'the body is not valid JSON' },
        ],
      })
      const request = (await one.stored()).at(-1)
      expect(request?.rejections).toEqual([
        { index: 1, code: 'not_an_object', start: 8, end: 12 },
        { index: 2, code: 'invalid_json', start: 13, end: 18 },
      ])
    })

    it('lists 100 errors at most', async () => {
      const { body } = await one.post(`[${'1,'.repeat(250)}{}]`)
      expect(body).toMatchObject({ received: 251, accepted: 1, rejected: 250 })
      expect(body.errors).toHaveLength(100)
    })

    it('may be large: 50,000 events in 10 MiB are scanned in slices and stored in one block', async () => {
      const events = Array.from(
        { length: 50_000 },
        (_, n) => `{"n":${n},"text":"${'x'.repeat(180)}"}`,
      )
      const body = events.join('\n')
      expect(body.length).toBeGreaterThan(9 * MIB)
      const blocksBefore = (await one.blocks()).length
      const answer = await one.post(body)
      expect(answer.body).toMatchObject({ ...SUCCESS, received: 50_000, accepted: 50_000 })
      const blocks = await one.blocks()
      expect(blocks.length).toBe(blocksBefore + 1)
      const request = blocks.at(-1)?.requests[0]
      expect(request && eventsOf(request)).toEqual(events)
    })

    it('keeps the order of one sender, and numbers blocks upward', async () => {
      const before = (await one.stored()).length
      for (let n = 0; n < 20; n += 1) await one.post(`{"n":${n}}`)
      const stored = (await one.stored()).slice(before)
      expect(stored.flatMap(eventsOf)).toEqual(Array.from({ length: 20 }, (_, n) => `{"n":${n}}`))
      const blocks = await one.blocks()
      expect(new Set(blocks.map((block) => block.listener)).size).toBe(1)
      expect(blocks.map((block) => block.sequence)).toEqual(blocks.map((_, i) => i + 1))
    })

    it('shares a block with what arrives while another one is written', async () => {
      const blocksBefore = (await one.blocks()).length
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) => one.post(`{"n":${n}}`)),
      )
      expect(answers.every((answer) => answer.status === 200)).toBe(true)
      expect((await one.blocks()).length - blocksBefore).toBeLessThan(150)
      expect(new Set(answers.map((answer) => answer.body.receipt)).size).toBeLessThan(150)
    })
  })

  describe('token', () => {
    it.each([
      ['missing', 'hostName=x', 'the token parameter is missing'],
      ['empty', 'token=', 'the token parameter is missing'],
      ['unknown or disabled', 'token=nobody', 'the token is not accepted'],
      ['second of two', 'token=nobody&token=good', 'the token is not accepted'],
      ['malformed', 'token=%ZZgood%', 'the token is not accepted'],
    ])('is refused when %s', async (_, query, text) => {
      const answer = await one.post('{}', { query })
      expect(answer).toMatchObject({ status: 400, body: { text, code: 4, ...NOTHING } })
      expect(answer.headers.get('retry-after')).toBeNull()
      await expectGoodRequestWorks(one)
    })

    it('counts when it is the first of two, escaped, and after malformed parameters', async () => {
      const answer = await one.post('{}', { query: '&=&%&%zz=1&token=g%6Fod&token=nobody' })
      expect(answer.status).toBe(200)
    })

    it('cannot be checked while the database was never read: 500, try again', async () => {
      const away = await startListener({
        engine,
        accounts: {
          accountByToken() {
            throw new Failure('database.unavailable')
          },
          refresh: () => Promise.resolve(),
        },
      })
      const answer = await away.post('{}')
      expect(answer).toMatchObject({ status: 500, body: { code: 8 } })
      expect(answer.headers.get('retry-after')).toBe('1')
      await away.close()
    })
  })

  describe('an answer to HEAD', () => {
    it('has no body, which would be read as the next answer', async () => {
      const socket = connect(one.port, '127.0.0.1')
      const ask = (method: string) => `${method} /logeye/api/logger.jsp HTTP/1.1\r\nHost: a\r\n`
      socket.write(`${ask('HEAD')}\r\n`)
      await once(socket, 'readable')
      socket.write(`${ask('GET')}Connection: close\r\n\r\n`)
      let text = ''
      for await (const chunk of socket) text += String(chunk)
      expect(text).toMatch(/^HTTP\/1.1 405 .*\r\n\r\nHTTP\/1.1 405 .*\r\n\r\n\{"text".*\}$/s)
      socket.destroy()
    })
  })

  describe('receipts', () => {
    it('tell durable at once and stored when the position has passed', async () => {
      const { body } = await one.post('{}')
      const receipt = String(body.receipt)
      expect(receipt).toMatch(/^0-\d+-[0-9a-f]{32}$/)
      const query = `token=good&receipt=${receipt}`
      expect(await getReceipt(one.url, query)).toMatchObject({
        status: 200,
        body: { durable: true, stored: false },
      })
      const offset = Number(receipt.split('-')[1])
      await one.eventLog.savePosition(0, { next: offset, metadata: '' })
      expect((await getReceipt(one.url, query)).body).toEqual({ durable: true, stored: false })
      await one.eventLog.savePosition(0, { next: offset + 1, metadata: '' })
      expect((await getReceipt(one.url, query)).body).toEqual({ durable: true, stored: true })
    })

    it.each([
      ['another account', (receipt: string) => `token=other&receipt=${receipt}`],
      ['a changed offset', (receipt: string) => `token=good&receipt=${receipt.replace('-', '-1')}`],
      ['a changed signature', (receipt: string) => `token=good&receipt=${receipt.slice(0, -1)}g`],
      ['none', () => 'token=good'],
    ])('are refused: %s', async (_, query) => {
      const { body } = await one.post('{}')
      const answer = await getReceipt(one.url, query(String(body.receipt)))
      expect(answer).toMatchObject({ status: 400, body: { text: 'the receipt is not valid' } })
    })

    it('are read for a token that another process has just made', async () => {
      const known = new Map(ACCOUNTS)
      let asked = 0
      const refresh = () => {
        asked += 1
        known.set('new', makeAccount({ id: 9, version: 1 }))
        return Promise.resolve()
      }
      const accounts = { accountByToken: (token: string) => known.get(token), refresh }
      const late = await startListener({ accounts, engine })
      try {
        expect(await getReceipt(late.url, 'token=new&receipt=0-0-0')).toMatchObject({
          status: 400,
          body: { code: 6 },
        })
        expect(await getReceipt(late.url, 'token=wrong&receipt=0-0-0')).toMatchObject({
          status: 400,
          body: { code: 4 },
        })
        expect(asked).toBe(2)
      } finally {
        await late.close()
      }
    })

    it('need a token, and GET', async () => {
      expect(await getReceipt(one.url, 'receipt=0-0-0')).toMatchObject({
        status: 400,
        body: { code: 4 },
      })
      const posted = await fetch(`${one.url}/logeye/api/receipt.jsp?token=good`, { method: 'POST' })
      expect(posted.status).toBe(405)
      expect(posted.headers.get('allow')).toBe('GET')
    })

    it.each([
      ['good', 'the same key', 7, 200],
      ['refused', 'another key', 8, 400],
    ])('of one listener are %s at another one with %s', async (_, _key, fill, status) => {
      const { body } = await one.post('{}')
      const receiptKey = Buffer.alloc(32, fill)
      const second = await startListener({ engine, eventLog: new FakeEventLog(), receiptKey })
      const answer = await getReceipt(second.url, `token=good&receipt=${body.receipt}`)
      expect(answer.status).toBe(status)
      await second.close()
    })
  })

  describe('debug=1', () => {
    it('answers where each event would be stored and stores nothing', async () => {
      const place = {
        path: 'Events',
        log: 'web',
        host: 'h',
        template: null,
        pattern: null,
        columns: { a: '1' },
        time: 't',
      }
      const asked: string[] = []
      const debug = await startListener({
        engine,
        explain: async ({ account, hostName, body, ranges }) => {
          asked.push(account.name, hostName, Buffer.from(body).toString(), String(ranges))
          return [place, place]
        },
      })
      const answer = await debug.post('{"a":1}\n17\n{"b":2}', {
        query: 'token=good&hostName=h&debug=1',
      })
      expect(answer).toMatchObject({
        status: 200,
        body: { code: 0, received: 3, accepted: 2, debug: true },
      })
      expect(answer.body.events).toEqual([
        { index: 0, ...place },
        { index: 2, ...place },
      ])
      expect(answer.body).not.toHaveProperty('receipt')
      expect(asked.slice(1)).toEqual(['h', '{"a":1}\n17\n{"b":2}', '0,7,11,18'])
      expect(await debug.stored()).toEqual([])
      await debug.close()
    })
  })
})
