// Configuration changes while events come, on a product with two fronts: folders and logs that are
// removed (docs/decisions/0036), a listener account that is changed or disabled (decision 2.6).
// LOGEYE_TEST_REMOVALS=200 makes a campaign of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct, waitUntilUrlReady } from '../../support/product/product.ts'
import { makeRandom } from '../../support/reference/random/random.ts'
import { SOON } from '../../support/run/patience.ts'
import { readSeed } from '../../support/run/seed.ts'
import { repeatUntil, waitUntil } from '../../support/run/wait-until.ts'

const REMOVALS = Number(process.env.LOGEYE_TEST_REMOVALS ?? 12)
const LOGS = ['a', 'b', 'c', 'd']
const CHANGES = 5
const LIMIT = { timeout: 240_000 + REMOVALS * 3000 }

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-changes-'))
const environment = { LOGEYE_HTTP_FRONT_PROCESSES: '2' }

beforeAll(async () => {
  product = await startProduct({ dataDir, environment })
})
afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

async function sdk(command: string, given: Readonly<Record<string, string>>) {
  const operator = { url: product.url, password: product.secrets.password }
  const reply = await callSdk(operator, command, given)
  if (!reply.success) throw new Error(reply.errorMessage ?? command)
  return Object(reply.response)
}

async function send(token: string, body: string, type: string): Promise<number> {
  const answer = await fetch(`${product.url}/logeye/api/logger.jsp?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': type, connection: 'close' },
    body,
  })
  await answer.arrayBuffer()
  return answer.status
}

const client = () => makeSearchClient(product.url, product.secrets.password)

async function untilFound(query: string, count: number): Promise<void> {
  const found = async () => (await client().search(`${query} | count, count distinct n`)).rows[1]
  const wanted = `${count},${count}`
  const isFound = async () => String(await found()) === wanted
  await waitUntil(`${query} finds ${count} events, each once`, isFound, found)
}

it(
  'finds every event, once, in logs that are removed and made again all the time',
  LIMIT,
  async () => {
    const { below: random } = makeRandom(readSeed('LOGEYE_CHANGES_SEED', 5))
    const { token } = await sdk('addListener', {
      ...{ name: 'storm', parentFolder: 'Storm', splitColumns: 'area->log' },
    })
    let [next, isDone] = [0, false]
    const sent = new Map(LOGS.map((log) => [log, 0]))
    const sendTo = async (log: string) => {
      const numbers = Array.from({ length: 5 }, () => next++)
      const events = numbers.map((n) => ({ message: `storm ${n}`, n, area: `of ${log}`, log }))
      expect(await send(token, JSON.stringify(events), 'application/json')).toBe(200)
      sent.set(log, (sent.get(log) ?? 0) + numbers.length)
    }
    const senders = LOGS.map((log) =>
      repeatUntil(
        () => isDone,
        () => sendTo(log),
      ),
    )
    let removed = 0
    for (let i = 0; i < REMOVALS; i += 1) {
      const target = next + 1 + random(200)
      await waitUntil('more events are sent', () => next >= target)
      const log = LOGS[random(LOGS.length)] ?? ''
      const [type = '', path = ''] = [
        ['log', `Storm->of ${log}->${log}`],
        ['folder', `Storm->of ${log}`],
        ['folder', 'Storm'],
      ][random(3)] ?? ['']
      await sdk('removeMember', { type, path }).then(
        () => {
          removed += 1
        },
        // Nothing has come there since.
        (error: Error) => expect(error.message).toMatch(/there is no/),
      )
    }
    isDone = true
    await Promise.all(senders)
    // A log that was removed after its last event is there again with the next one.
    for (const log of LOGS) await sendTo(log)
    expect(removed).toBeGreaterThan(0)
    await untilFound('storm', next)
    const places = 'storm | count, count distinct n | group by folder, log'
    const { rows } = await client().search(places)
    const wanted = [...sent].map(([log, count]) => [
      `Storm->of ${log}`,
      log,
      `${count}`,
      `${count}`,
    ])
    expect(rows.slice(1).sort()).toEqual(wanted.sort())
    // The ledger is checked at a start.
    await product.stop()
    product = await startProduct({ ...product, environment })
    await waitUntilUrlReady(product.url)
    const ready = await (await fetch(`${product.url}/logeye/health/ready`)).json()
    expect(ready).toMatchObject({ ready: true })
    expect(ready).not.toHaveProperty('damage')
    await untilFound('storm', next)
  },
)

it('treats each event by the listener account of the moment of its receipt', LIMIT, async () => {
  const change = (version: number) => ({
    ...{ name: 'turn', logNamePrefix: `v${version}` },
    pattern: `{word:Word} {number:c${version}}`,
  })
  const { token } = await sdk('addListener', { ...change(0), parentFolder: 'Turn' })
  /** By the number of the event: how many changes had begun when it was answered. */
  const changesAtAnswer: number[] = []
  let [next, begun, isDone] = [0, 0, false]
  const sendOne = async () => {
    const n = next++
    expect(await send(token, `turn ${n}\n`, 'text/plain')).toBe(200)
    changesAtAnswer[n] = begun
  }
  const senders = [1, 2].map(() => repeatUntil(() => isDone, sendOne))
  for (let version = 0; version <= CHANGES; version += 1) {
    if (version > 0) {
      begun = version
      await sdk('addListener', { ...change(version), update: 'true' })
    }
    const count = () => client().count(`turn in log."Turn->v${version}"`)
    await waitUntil(`events have version ${version}`, async () => (await count()) > 10, count)
  }
  isDone = true
  await Promise.all(senders)
  const count = () => client().count('turn in folder.Turn')
  await waitUntil('all events are found', async () => (await count()) === next, count)
  const shown = Array.from({ length: CHANGES + 1 }, (_, version) => `c${version}`)
  const query = `turn in folder.Turn | display only log, message, ${shown.join(', ')}`
  const { rows } = await client().search(query, { maxNumOfRecords: '1000000' })
  expect(rows).toHaveLength(next + 1)
  for (const [log = '', message = '', ...values] of rows.slice(1)) {
    const n = message.replace('turn ', '')
    const version = Number(log.slice(1))
    // One account for the name of the log and for the pattern.
    expect([n, values]).toEqual([n, shown.map((_, i) => (i === version ? n : ''))])
    expect(version).toBeLessThanOrEqual(changesAtAnswer[Number(n)] ?? 0)
  }
})

it('refuses a disabled token at every front', LIMIT, async () => {
  const { token } = await sdk('addListener', { name: 'shut' })
  const statuses = async () => {
    const answers = Array.from({ length: 16 }, () =>
      send(token, '{"message":"shut"}', 'text/plain'),
    )
    return [...new Set(await Promise.all(answers))]
  }
  expect(await statuses()).toEqual([200])
  await sdk('enableAccount', { name: 'shut', enabled: 'false' })
  await expect.poll(statuses, SOON).toEqual([400])
  expect(await statuses()).toEqual([400])
})
