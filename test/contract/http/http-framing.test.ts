// How requests are told apart (RFC 9112, decision 2.11): served, or refused and the connection
// closed; what is stored never contradicts an answer. What uWebSockets.js decides before our code
// sees a byte is shown as it is (docs/guides/deploy.md names what makes it harmless).
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEngines, talk, useServers } from '../../support/apps/http-server.ts'
import { PATH, startListener, type TestListener } from '../../support/apps/listener-server.ts'

useServers()

/** Statuses in order, and how many events the listener holds afterwards. */
type Outcome = { statuses: number[]; stored: number; isClosed: boolean }
const served: Outcome = { statuses: [200], stored: 1, isClosed: false }
const servedLast: Outcome = { statuses: [200], stored: 1, isClosed: true }
const refused: Outcome = { statuses: [400], stored: 0, isClosed: true }
const closed: Outcome = { statuses: [], stored: 0, isClosed: true }
/** Until its idle connection is closed. */
const silent: Outcome = { statuses: [], stored: 0, isClosed: false }
const notHttp: Outcome = { statuses: [505], stored: 0, isClosed: true }

const LINE = `POST ${PATH}?token=good HTTP/1.1\r\n`
const EVENT = '{"n":1}'
const head = (...headers: string[]) => `${[`${LINE}Host: x`, ...headers].join('\r\n')}\r\n\r\n`
const LENGTH = `Content-Length: ${EVENT.length}`
const CHUNKED = 'Transfer-Encoding: chunked'
const CHUNK = `7\r\n${EVENT}\r\n`
const GOOD = `${head(LENGTH)}${EVENT}`
const longer = `Content-Length: ${EVENT.length + GOOD.length}`

type Case = { name: string; packets: string[]; node: Outcome; uws: Outcome }
const CASES: Case[] = [
  { name: 'a length', packets: [GOOD], node: served, uws: served },
  {
    name: 'two requests in one packet',
    packets: [GOOD + GOOD],
    node: { statuses: [200, 200], stored: 2, isClosed: false },
    uws: closed,
  },
  {
    name: 'rubbish behind a request',
    packets: [`${GOOD}rubbish\r\n\r\n`],
    node: { statuses: [200, 400], stored: 1, isClosed: true },
    uws: served,
  },
  { name: 'chunks', packets: [`${head(CHUNKED)}${CHUNK}0\r\n\r\n`], node: served, uws: served },
  {
    name: 'chunks and a trailer',
    packets: [`${head(CHUNKED)}${CHUNK}0\r\nX-Sum: 1\r\n\r\n`],
    node: served,
    uws: notHttp,
  },
  {
    name: 'chunks with extensions',
    packets: [`${head(CHUNKED)}7;a=b\r\n${EVENT}\r\n0\r\n\r\n`],
    node: served,
    uws: silent,
  },
  {
    name: 'a chunk that does not end where it says',
    packets: [`${head(CHUNKED)}7\r\n${EVENT}XX0\r\n\r\n`],
    node: refused,
    uws: served,
  },
  {
    name: 'a chunk without a size',
    packets: [`${head(CHUNKED)}z\r\n`],
    node: refused,
    uws: refused,
  },
  {
    name: 'two hosts',
    packets: [`${head('Host: y', LENGTH)}${EVENT}`],
    node: refused,
    uws: refused,
  },
  {
    name: 'two lengths, a request smuggled behind the shorter',
    packets: [`${head(LENGTH, longer)}${EVENT}${GOOD}`],
    node: refused,
    uws: closed,
  },
  {
    name: 'two lengths, the smuggled request in a packet of its own',
    packets: [`${head(LENGTH, longer)}${EVENT}`, GOOD],
    node: refused,
    uws: refused,
  },
  {
    name: 'two lengths, the longer first',
    packets: [`${head(longer, LENGTH)}${EVENT}${GOOD}`],
    node: refused,
    uws: refused,
  },
  {
    name: 'two equal lengths',
    packets: [`${head(LENGTH, LENGTH)}${EVENT}`],
    node: refused,
    uws: refused,
  },
  {
    name: 'a list as length',
    packets: [`${head('Content-Length: 7, 7')}${EVENT}`],
    node: refused,
    uws: refused,
  },
  {
    name: 'a signed length',
    packets: [`${head('Content-Length: +7')}${EVENT}`],
    node: refused,
    uws: refused,
  },
  {
    name: 'a length beside chunks, a request smuggled behind the chunks',
    packets: [`${head('Content-Length: 5', CHUNKED)}0\r\n\r\n${GOOD}`],
    node: refused,
    uws: refused,
  },
  {
    name: 'another transfer coding',
    packets: [`${head('Transfer-Encoding: gzip, chunked')}${CHUNK}0\r\n\r\n`],
    node: refused,
    uws: refused,
  },
  {
    name: 'identity',
    packets: [`${head('Transfer-Encoding: identity')}${EVENT}`],
    node: refused,
    uws: refused,
  },
  {
    name: 'chunked and identity',
    packets: [`${head(CHUNKED, 'Transfer-Encoding: identity')}${CHUNK}0\r\n\r\n`],
    node: refused,
    uws: refused,
  },
  {
    name: 'a folded header',
    packets: [`${head('X: a\r\n b', LENGTH)}${EVENT}`],
    node: refused,
    uws: silent,
  },
  {
    name: 'a bare CR',
    packets: [`${head('X: a\rb', LENGTH)}${EVENT}`],
    node: refused,
    uws: silent,
  },
  { name: 'a NUL', packets: [`${head('X: a\0b', LENGTH)}${EVENT}`], node: refused, uws: silent },
  {
    name: 'a space before the colon',
    packets: [`${head('Content-Length : 7')}${EVENT}`],
    node: refused,
    uws: silent,
  },
  { name: 'no host', packets: [`${LINE}${LENGTH}\r\n\r\n${EVENT}`], node: refused, uws: refused },
  {
    name: 'HTTP/1.0',
    packets: [`POST ${PATH}?token=good HTTP/1.0\r\n${LENGTH}\r\n\r\n${EVENT}`],
    node: servedLast,
    uws: notHttp,
  },
  {
    name: 'HTTP/1.0 with chunks',
    packets: [`POST ${PATH}?token=good HTTP/1.0\r\n${CHUNKED}\r\n\r\n${CHUNK}0\r\n\r\n`],
    node: refused,
    uws: notHttp,
  },
  {
    name: 'an absolute address',
    packets: [
      `POST http://logs.example${PATH}?token=good HTTP/1.1\r\nHost: x\r\n${LENGTH}\r\n\r\n${EVENT}`,
    ],
    node: served,
    uws: notHttp,
  },
  {
    name: 'the end asked for',
    packets: [`${head('Connection: close', LENGTH)}${EVENT}`],
    node: servedLast,
    uws: servedLast,
  },
]

describeEngines('a request with', ({ name: engine }) => {
  let listener: TestListener

  beforeAll(async () => {
    listener = await startListener({ engine })
  })

  afterAll(async () => {
    await listener.close()
  })

  it.each(CASES)('$name', async (it) => {
    const expected = it[engine]
    const before = (await listener.stored()).length
    const { text, isEnded } = await talk(
      listener.port,
      it.packets,
      (seen) => !expected.isClosed && seen.split('"code":0').length > expected.statuses.length,
    )
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map((match) => Number(match[1]))
    const stored = (await listener.stored()).length - before
    expect({ statuses, stored, isClosed: isEnded }).toEqual(expected)
  })

  it('a key is stored once, however often it is repeated behind a connection that was closed', async () => {
    const keyed = `${head('Idempotency-Key: again', LENGTH)}${EVENT}`
    await talk(listener.port, [keyed + keyed], (seen) => seen.split('"code":0').length > 2)
    const { text } = await talk(listener.port, [keyed], (seen) => seen.includes('"code":0'))
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
    // The writer stores an equal request once (ingest-repeat.test.ts): here each carries its key,
    // and one that was cut off is not here.
    const expected = engine === 'uws' ? 1 : 3
    expect((await listener.stored()).filter((it) => it.idempotencyKey !== '')).toHaveLength(
      expected,
    )
    const keys = (await listener.stored()).map((it) => it.idempotencyKey).filter((it) => it !== '')
    expect(new Set(keys)).toEqual(new Set(['again']))
  })
})
