// Bad input over HTTP: the exact answer of decision 2.3, and the next good request works and is
// found.
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { expectSuccess, makeGoodRequests, post } from '../../support/clients/ingest-client.ts'
import { makeWord, sdk, searchUntil } from '../../support/clients/product-client.ts'
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
  too_deep: 'an event is nested deeper than 32 levels',
} as const

describe('a token', () => {
  it('that is missing is refused with 400 and code 4', async () => {
    const answer = await post('{"message":"x"}', { token: null })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ text: 'the token parameter is missing', code: 4, ...NOTHING })
    await good.send()
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
  it('is answered 400 with its reason', async () => {
    const answer = await post('[{"a":1},{"b":2}')
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({
      ...{ text: TEXTS.invalid_json, code: 6, received: 3, accepted: 0, rejected: 3 },
      errors: [{ index: 2, code: 'invalid_json', message: TEXTS.invalid_json }],
    })
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
})

describe('headers', () => {
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
