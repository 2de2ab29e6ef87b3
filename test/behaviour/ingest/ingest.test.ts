// Bad input over HTTP: the exact answer of decision 2.3, and the next good request works and is
// found.
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import {
  defaultToken,
  expectSuccess,
  makeGoodRequests,
  openSocket,
  post,
  readSocket,
} from '../../support/clients/ingest-client.ts'
import {
  makeWord,
  productUrl,
  sdk,
  search,
  searchUntil,
} from '../../support/clients/product-client.ts'
import { memoryBytes, watchMemory } from '../../support/machine/process-usage.ts'
import { listProcesses } from '../../support/product/product.ts'
import { SOON } from '../../support/run/patience.ts'
import { series } from '../../support/run/tier.ts'

const good = makeGoodRequests()
afterAll(good.expectFound)

const MIB = 1024 * 1024
const NOTHING = { received: 0, accepted: 0, rejected: 0, errors: [] }
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const TEXTS = {
  invalid_json: 'the body is not valid JSON',
  not_an_object: 'an event must be a JSON object',
  too_deep: 'an event is nested deeper than 32 levels',
  too_large: 'an event is larger than 1048576 bytes',
  too_many_columns: 'an event has more than 1024 columns',
} as const

function refused(code: keyof typeof TEXTS, index = 0) {
  const message = TEXTS[code]
  const received = index + 1
  const errors = [{ index, code, message }]
  return { text: message, code: 6, received, accepted: 0, rejected: received, errors }
}

describe('a token', () => {
  it.each<[string, string, string]>([
    ['missing', '', 'the token parameter is missing'],
    ['empty', 'token=', 'the token parameter is missing'],
    ['wrong', 'token=11111111-1111-4111-8111-111111111111', 'the token is not accepted'],
    ['in another case', 'TOKEN', 'the token parameter is missing'],
    ['with more behind it', 'MORE', 'the token is not accepted'],
    ['as the second of two', 'SECOND', 'the token is not accepted'],
  ])('that is %s is refused with 400 and code 4', async (_, query, text) => {
    const token = defaultToken()
    const parameters = query
      .replace('TOKEN', `Token=${token}`)
      .replace('MORE', `token=${token}x`)
      .replace('SECOND', `token=x&token=${token}`)
    const answer = await post('{"message":"x"}', { parameters })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ text, code: 4, ...NOTHING })
    await good.send()
  })

  it('counts when it is the first of two', async () => {
    expectSuccess(await post('{}', { parameters: `token=${defaultToken()}&token=x` }), 1)
  })

  it('of a disabled account is refused like an unknown one, and taken again when enabled', async () => {
    const name = makeWord('account')
    const token = String((await sdk('addListener', { name })).token)
    expectSuccess(await post('{}', { token }), 1)
    const status = async () => (await post('{}', { token })).status
    await sdk('enableAccount', { name, enabled: 'false' })
    await expect.poll(status, SOON).toBe(400)
    const unknown = await post('{}', { token: makeWord() })
    const disabled = await post('{}', { token })
    expect([disabled.status, disabled.body]).toEqual([unknown.status, unknown.body])
    expect(disabled.body).toEqual({ text: 'the token is not accepted', code: 4, ...NOTHING })
    await sdk('enableAccount', { name, enabled: 'true' })
    await expect.poll(status, SOON).toBe(200)
    expectSuccess(await post('{}', { token }), 1)
    await sdk('removeAccount', { name })
    await expect.poll(status, SOON).toBe(400)
    expect(await post('{}', { token })).toMatchObject({ status: 400, body: unknown.body })
  })
})

describe('a body that cannot be taken', () => {
  const gzip = { 'content-encoding': 'gzip' }
  it.each<[string, string | Buffer, Record<string, string>, object]>([
    ['empty', '', {}, { text: 'the body holds no event', code: 5, ...NOTHING }],
    ['white space', ' \r\n\t', {}, { text: 'the body holds no event', code: 5, ...NOTHING }],
    ['[]', '[]', {}, { text: 'the body holds no event', code: 5, ...NOTHING }],
    ['an object that ends too early', '{"a":', {}, refused('invalid_json')],
    ['an array that ends too early', '[{"a":1},{"b":2}', {}, refused('invalid_json', 2)],
    ['single quotes', "{'a':1}", {}, refused('invalid_json')],
    ['a trailing comma', '{"a":1,}', {}, refused('invalid_json')],
    ['a number with a leading zero', '{"a":01}', {}, refused('invalid_json')],
    ['NaN', '{"a":NaN}', {}, refused('invalid_json')],
    [
      'a line end in a text, which makes two broken lines of it',
      '{"a":"x\ny"}',
      {},
      {
        ...refused('invalid_json', 1),
        errors: [0, 1].map((index) => ({
          index,
          code: 'invalid_json',
          message: TEXTS.invalid_json,
        })),
      },
    ],
    ['plain text', 'hello there', {}, refused('invalid_json')],
    ['a form', 'message=hello', {}, refused('invalid_json')],
    ['a number', '17', {}, refused('not_an_object')],
    ['null', 'null', {}, refused('not_an_object')],
    ['an array of numbers', '[1]', {}, refused('not_an_object')],
    ['an array in an array', '[[{"a":1}]]', {}, refused('not_an_object')],
    ['depth 33', nested(33), {}, refused('too_deep')],
    ['depth 10,000', nested(10_000), {}, refused('too_deep')],
    ['an event above 1 MiB', `{"a":"${'x'.repeat(MIB)}"}`, {}, refused('too_large')],
    [
      '1,025 columns',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1025 }, (_, n) => [`c${n}`, n]))),
      {},
      refused('too_many_columns'),
    ],
    [
      '100,001 events',
      '{}\n'.repeat(100_001),
      {},
      { text: 'the body holds more than 100000 events', code: 6, ...NOTHING },
    ],
    [
      '11 MiB',
      Buffer.alloc(11 * MIB, 0x20),
      {},
      { text: 'the body is larger than 10485760 bytes', code: 6, ...NOTHING },
    ],
    ['no gzip', '{}', gzip, { text: 'the body cannot be decompressed', code: 6, ...NOTHING }],
    [
      'a cut gzip',
      gzipSync('{"message":"x"}').subarray(0, -9),
      gzip,
      { text: 'the body cannot be decompressed', code: 6, ...NOTHING },
    ],
    [
      'a gzip with a wrong checksum',
      Buffer.concat([gzipSync('{"message":"x"}').subarray(0, -8), Buffer.alloc(8)]),
      gzip,
      { text: 'the body cannot be decompressed', code: 6, ...NOTHING },
    ],
    [
      'a gzip bomb',
      gzipSync(Buffer.alloc(200 * MIB, 0x20)),
      gzip,
      { text: 'the body is larger than 10485760 bytes', code: 6, ...NOTHING },
    ],
    [
      'a deflate bomb',
      deflateSync(Buffer.alloc(200 * MIB, 0x20)),
      { 'content-encoding': 'deflate' },
      { text: 'the body is larger than 10485760 bytes', code: 6, ...NOTHING },
    ],
    [
      'an encoding nobody knows',
      '{}',
      { 'content-encoding': 'compress' },
      { text: 'the content encoding is not supported', code: 6, ...NOTHING },
    ],
  ])('is answered 400 with its reason: %s', async (_, body, headers, expected) => {
    const answer = await post(body, { headers })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(expected)
    expect(answer.headers.get('content-type')).toBe('application/json')
    await good.send()
  })
})

describe('a bad event beside good ones', () => {
  it('is rejected alone, with its index; an administrator finds it in System->rejected with its bytes', async () => {
    const word = makeWord('beside')
    const lines = [
      `{"message":"${word} first"}`,
      `{"message":"${word} broken",`,
      nested(33).replace('1', `"${word} deep"`),
      `{"message":"${word} last"}`,
    ]
    const answer = await post(lines.join('\n'))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...{ text: 'Success', code: 0, received: 4, accepted: 2, rejected: 2 },
      errors: [
        { index: 1, code: 'invalid_json', message: TEXTS.invalid_json },
        { index: 2, code: 'too_deep', message: TEXTS.too_deep },
      ],
      receipt: expect.stringMatching(/^\d+-\d+-\w+$/),
    })
    await searchUntil(2, { searchQuery: `${word} not in log.System->rejected` })
    const kept = await searchUntil(2, {
      searchQuery: `${word} in log.System->rejected | display only message, raw`,
    })
    const all = JSON.stringify(kept.rows)
    expect(all).toContain(JSON.stringify(lines[1]).slice(1, -1))
    expect(all).toContain(JSON.stringify(lines[2]).slice(1, -1))
  })

  it('is listed a hundred times at most', async () => {
    const answer = await post(`{}\n${'17\n'.repeat(150)}`)
    expect(answer.body).toMatchObject({ code: 0, received: 151, accepted: 1, rejected: 150 })
    expect(answer.body?.errors).toHaveLength(100)
  })

  it('may be a text in an array or on a line: an event whose message is that text only', async () => {
    const word = makeWord('text')
    expectSuccess(await post(`["${word} \\u00e9 in array"]`), 1)
    expectSuccess(await post(`"${word} on a line"\n{"message":"${word} object"}`), 2)
    const found = await searchUntil(3, { searchQuery: word })
    expect(found.rows.map((row) => row.message).sort()).toEqual([
      `${word} object`,
      `${word} on a line`,
      `${word} é in array`,
    ])
  })
})

describe('a body that comes in its own way', () => {
  /** The front has read what was written before it answers a later request. */
  const untilRead = async () => {
    const answer = await fetch(`${productUrl()}/logeye/health/ready`)
    await answer.arrayBuffer()
  }
  const head = () => `POST /logeye/api/logger.jsp?token=${defaultToken()} HTTP/1.1\r\nHost: x\r\n`

  it('slowly, byte by byte, is taken', async () => {
    const word = makeWord('slow')
    const body = `{"message":"${word}"}`
    const socket = await openSocket()
    socket.write(`${head()}Content-Length: ${body.length}\r\n\r\n`)
    const answer = readSocket(socket, 20_000)
    for (const byte of body) {
      socket.write(byte)
      await untilRead()
    }
    expect(await answer).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
    await searchUntil(1, { searchQuery: word })
  })

  it('in chunks is taken; in broken chunks it is refused', async () => {
    const word = makeWord('chunk')
    const socket = await openSocket()
    socket.write(`${head()}Transfer-Encoding: chunked\r\n\r\n`)
    const answer = readSocket(socket, 20_000)
    for (const part of [`{"message":`, `"${word}`, ` end"}`])
      socket.write(`${part.length.toString(16)}\r\n${part}\r\n`)
    socket.write('0\r\n\r\n')
    expect(await answer).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
    await searchUntil(1, { searchQuery: word })

    const broken = await openSocket()
    broken.write(`${head()}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`)
    expect(await readSocket(broken, 20_000)).not.toMatch(/^HTTP\/1.1 200 /)
    broken.destroy()
    await good.send()
  })

  it('and is aborted in the middle leaves nothing behind', async () => {
    const word = makeWord('abort')
    for (let n = 0; n < 30; n += 1) {
      const socket = await openSocket()
      socket.write(
        `${head()}Content-Length: 5000000\r\n\r\n{"message":"${word}"}\n${'{}\n'.repeat(30_000)}`,
      )
      await untilRead()
      socket.destroy()
    }
    await good.send()
    expect((await search({ searchQuery: word, fixedInterval: 'allData' })).numberOfResults).toBe(0)
  })
})

describe('the method', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])(
    '%s is answered 405 with what is allowed',
    async (method) => {
      const hasBody = method !== 'GET' && method !== 'HEAD'
      const answer = await post(hasBody ? '{}' : undefined, { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('allow')).toBe('POST')
      if (method !== 'HEAD')
        expect(answer.body).toEqual({ text: 'the method is not allowed here', code: 6, ...NOTHING })
      await good.send()
    },
  )
})

describe('headers and parameters', () => {
  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=ISO-8859-1',
    'text/plainer',
    'text/json',
    'application/x-ndjson',
    'application/x-www-form-urlencoded',
  ])('the content type %s changes nothing: bytes are UTF-8 JSON', async (type) => {
    const word = makeWord('type')
    expectSuccess(await post(`{"message":"${word} ü"}`, { headers: { 'content-type': type } }), 1)
    expect((await searchUntil(1, { searchQuery: word })).rows[0]?.message).toBe(`${word} ü`)
  })

  it.each<[string, string, string]>([
    ['spaces around', '  web 01  ', 'web 01'],
    ['300 characters', 'h'.repeat(300), 'h'.repeat(255)],
    ['300 emoji', '😀'.repeat(300), '😀'.repeat(255)],
    ['quotes and brackets', `a"b'c]]>d<e>&`, `a"b'c]]>d<e>&`],
    ['other scripts', 'хост-مضيف', 'хост-مضيف'],
  ])('hostName with %s', async (_, hostName, host) => {
    const word = makeWord('host')
    expectSuccess(await post(`{"message":"${word}"}`, { parameters: { hostName } }), 1)
    expect((await searchUntil(1, { searchQuery: word })).rows[0]?.host).toBe(host)
  })

  it('unknown parameters are ignored', async () => {
    expectSuccess(await post('{}', { parameters: { nothing: '1', 'a[]': '2' } }), 1)
  })
})

describe('memory', () => {
  it('of the front process does not grow by bombs and bodies that are too large', async (context) => {
    const supervisor = Number(process.env.LOGEYE_TEST_SUPERVISOR_PID ?? 0)
    const front = listProcesses(supervisor).find(({ role }) => /front|listener|query/.test(role))
    if (!front) return context.skip('LOGEYE_TEST_URL names a product that was not started here')
    const bomb = gzipSync(Buffer.alloc(300 * MIB, 0x20))
    const flood = async (count: number) => {
      const answers = await Promise.all(
        Array.from({ length: count }, () =>
          post(bomb, { headers: { 'content-encoding': 'gzip' } }),
        ),
      )
      return answers.map(({ status }) => status)
    }
    await flood(10)
    const before = memoryBytes(front.pid)
    const watch = watchMemory(() => [front.pid])
    for (let round = 0; round < series(2, 5); round += 1) {
      for (const status of await flood(20)) expect([400, 500]).toContain(status)
      await Promise.all(
        Array.from({ length: 5 }, () => post(Buffer.alloc(11 * MIB, 0x20)).catch(() => undefined)),
      )
    }
    watch.stop()
    expect(watch.peakTotalBytes() - before).toBeLessThan(150 * MIB)
    await good.send()
  })
})
