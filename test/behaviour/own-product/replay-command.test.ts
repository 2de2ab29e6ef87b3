// replayRejected (decisions 3.10, 8.4): rejected events are taken in again by a command, each once.
// A product of this file's own, whose limit on an event is raised in between.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { SOON } from '../../support/run/patience.ts'

const EVENTS = 700
const PADDING = 'x'.repeat(200)

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-replay-'))
const environment = { LOGEYE_LISTENER_MAX_EVENT_BYTES: '200' }

beforeAll(async () => {
  product = await startProduct({ dataDir, environment })
})

afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

async function send(body: string, type: string): Promise<unknown> {
  const query = `token=${product.secrets.token}&hostName=web-1`
  const headers = { 'content-type': type }
  const url = `${product.url}/logeye/api/logger.jsp?${query}`
  return await (await fetch(url, { method: 'POST', headers, body })).json()
}

async function replay(given: Readonly<Record<string, string>>): Promise<unknown> {
  const login = Buffer.from(`admin:${product.secrets.password}`).toString('base64')
  const answer = await fetch(`${product.url}/logeye/sdk/replayRejected`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${login}` },
    body: JSON.stringify(given),
  })
  const { response, errorMessage } = (await answer.json()) as Record<string, unknown>
  return response ?? errorMessage
}

const count = (query: string) =>
  makeSearchClient(product.url, product.secrets.password).count(query)

it('takes each rejected event in once, as what it was, when the limit allows it', async () => {
  const events = Array.from({ length: EVENTS }, (_, n) =>
    JSON.stringify({ message: `again ${n}`, padding: PADDING }),
  )
  const small = '{"message":"small"}'
  expect(
    await send([small, ...events, '{"message":"again broken"'].join('\n'), 'application/json'),
  ).toMatchObject({ accepted: 1, rejected: EVENTS + 1 })
  const line = `{"message":"again line","padding":"${PADDING}"}`
  expect(await send(`small\n${line}`, 'text/plain')).toMatchObject({ accepted: 1, rejected: 1 })
  await expect.poll(() => count('again in log.System->rejected'), SOON).toBe(EVENTS + 2)

  const tooLarge = { reason: 'too_large' }
  expect(await replay(tooLarge)).toMatchObject({
    replayed: 0,
    rejectedAgain: { too_large: EVENTS + 1 },
  })

  const { secrets, port } = product
  await product.stop()
  product = await startProduct({ dataDir, secrets, port })
  expect(await replay({ dryRun: 'true' })).toEqual({
    dryRun: true,
    found: EVENTS + 2,
    replayed: EVENTS + 1,
    replayedBefore: 0,
    rejectedAgain: { invalid_json: 1 },
    undecided: 0,
    more: false,
  })
  // The limit ends amid the last page: what stands behind it is more.
  const nearly = { dryRun: 'true', reason: 'too_large', limit: String(EVENTS) }
  expect(await replay(nearly)).toMatchObject({ replayed: EVENTS, more: true })
  expect(await replay({ from: '2999-01-01T00:00:00Z' })).toMatchObject({ found: 0 })
  expect(await replay({ account: 'nobody' })).toMatchObject({ found: 0 })
  expect(await replay({ from: 'yesterday' })).toContain('-from: must be a moment such as')
  expect(await count('again not in log.System->rejected')).toBe(0)

  expect(await replay({ ...tooLarge, limit: '10' })).toMatchObject({ replayed: 10, more: true })
  // Two operators at once: what both send meets its own key.
  await Promise.all([replay(tooLarge), replay(tooLarge)])
  await expect.poll(() => count('again not in log.System->rejected'), SOON).toBe(EVENTS + 1)
  expect(await replay(tooLarge)).toMatchObject({ replayed: 0, replayedBefore: EVENTS + 1 })

  const client = makeSearchClient(product.url, product.secrets.password)
  const { rows } = await client.search(
    '"again line" not in log.System->rejected | display only raw, host',
  )
  expect(rows.slice(1)).toEqual([[line, 'web-1']])
  expect(await count('padding = * message = "again 7" not in log.System->rejected')).toBe(1)
  expect(await count('again not in log.System->rejected')).toBe(EVENTS + 1)

  // Together more than is read at once.
  const large = JSON.stringify({ message: 'large', padding: 'x'.repeat(5 * 1024 * 1024) })
  for (let n = 0; n < 4; n += 1)
    expect(await send(`small\n${large}`, 'text/plain')).toMatchObject({ accepted: 1, rejected: 1 })
  await expect.poll(() => count('* in log.System->rejected'), SOON).toBe(EVENTS + 6)
  expect(await replay({ dryRun: 'true' })).toMatchObject({
    found: EVENTS + 6,
    rejectedAgain: { invalid_json: 1, too_large: 4 },
    more: false,
  })
})
