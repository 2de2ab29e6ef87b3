// A cluster on Kafka and PostgreSQL with two of each role, each with its own address: what one
// process takes, hands out or is told, its twin knows; one of each role is killed under load, and
// senders who repeat what was not acknowledged lose and double nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Role } from '../../../infra/supervisor/processes.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import type { ClusterNode } from '../../support/cluster/cluster-node.ts'
import { type Cluster, COPIED_ROLES, startCluster } from '../../support/cluster/start-cluster.ts'
import { postgresMissing } from '../../support/database/postgres-server.ts'
import { kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { waitUntilUrlReady } from '../../support/product/product.ts'
import { describeUnless } from '../../support/run/skip.ts'
import { waitUntil } from '../../support/run/wait-until.ts'

const SEARCHABLE = { timeout: 240_000, interval: 200 }
/** Three times what is promised, for a machine that does other things beside;
 *  `loadtest/chaos/cluster/fail-over.ts` measures. */
const FAIL_OVER_MS = 30_000
/** A sender gives up and sends again. */
const ANSWER_MS = 2000
const ROWS = 60_000
const PAGE = 2000
const METRICS_TOKEN = 'only-for-the-metrics-of-this-test'
/** Each is a walk of an automaton over every byte, which takes seconds. */
const SLOW = Array.from({ length: 150 }, (_, n) => {
  const last = String.fromCharCode(97 + (n % 26), 97 + ((n * 7 + 1) % 26))
  return `message matches "[b-y][0-9]{${2 + (n % 5)}}[${last}]"`
}).join(' OR ')

let cluster: Cluster
const first = (role: Role) => nth(role, 0)
const second = (role: Role) => nth(role, 1)

function nth(role: Role, at: number): ClusterNode {
  const node = cluster.of(role)[at]
  if (node === undefined) throw new Error(`there is no ${role} ${at + 1}`)
  return node
}

async function post(url: string, body: string, token = cluster.secrets.token, key = '') {
  const address = `${url}/logeye/api/logger.jsp?token=${token}&hostName=web-01`
  const headers = { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }
  const signal = AbortSignal.timeout(key === '' ? 30_000 : ANSWER_MS)
  const answer = await fetch(address, { method: 'POST', body, headers, signal })
  return { status: answer.status, receipt: /"receipt":"([^"]*)"/.exec(await answer.text())?.[1] }
}

const count = (node: ClusterNode, query: string) =>
  makeSearchClient(node.url, cluster.secrets.password).count(query)

async function call({ url }: { url: string }, fields: Readonly<Record<string, string>>) {
  const body = new URLSearchParams({
    ...{ widgetId: 'searchAPI', fixedInterval: 'allData', autoLogin: 'true', username: 'admin' },
    password: cluster.secrets.password,
    ...fields,
  })
  const path = `${url}/logeye/view/api/widgetAPI.jsp`
  return await (await fetch(path, { method: 'POST', body })).text()
}

async function sdk(node: ClusterNode, command: string, given: Readonly<Record<string, string>>) {
  const credentials = Buffer.from(`admin:${cluster.secrets.password}`).toString('base64')
  const answer = await fetch(`${node.url}/logeye/sdk/${command}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Basic ${credentials}` },
    body: JSON.stringify(given),
  })
  return await answer.text()
}

async function metric(node: ClusterNode, name: string): Promise<number | undefined> {
  try {
    const text = await (await fetch(`${node.url}/metrics`)).text()
    const line = text.split('\n').find((it) => it.startsWith(`${name}{`))
    return Number(line?.split(' ').at(-1))
  } catch {
    return undefined
  }
}

describeUnless(kafkaMissing() ?? postgresMissing(), 'a cluster with two of each role', () => {
  beforeAll(async () => {
    const environment = { LOGEYE_HTTP_METRICS_TOKEN: METRICS_TOKEN }
    cluster = await startCluster({ copies: 2, environment })
  }, 180_000)

  afterAll(async () => {
    await cluster?.stop()
  })

  it('has health and metrics of each process at its own address', async () => {
    expect(cluster.nodes.map(({ role }) => role).sort()).toEqual(
      [...COPIED_ROLES, ...COPIED_ROLES, 'store'].sort(),
    )
    expect(new Set(cluster.nodes.map(({ url }) => url)).size).toBe(2 * COPIED_ROLES.length + 1)
    for (const { url } of cluster.nodes) {
      await waitUntilUrlReady(url)
      const health = await fetch(`${url}/logeye/health/ready`)
      expect([health.status, await health.json()]).toEqual([
        200,
        expect.objectContaining({ ready: true }),
      ])
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('process_cpu_seconds_total')
    }
  })

  it('answers at the address of a role for this role alone', async () => {
    const token = cluster.secrets.token
    const paths = ['/logeye/root.html', `/logeye/api/receipt.jsp?token=${token}&receipt=x`]
    const statuses = async (node: ClusterNode) =>
      await Promise.all(paths.map(async (path) => (await fetch(node.url + path)).status))
    expect(await statuses(first('query'))).toEqual([200, 404])
    expect(await statuses(first('listener'))).toEqual([404, 400])
    for (const role of ['writer', 'scheduler', 'store'] as const)
      expect(await statuses(first(role))).toEqual([404, 404])
  })

  it('takes the address of a sender from the edge, which is trusted, and says whose events they are by it', async () => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' }
    const send = async (url: string, message: string) => {
      const path = `${url}/logeye/api/logger.jsp?token=${cluster.secrets.token}`
      await fetch(path, { method: 'POST', body: JSON.stringify({ message }), headers })
    }
    await send(first('listener').url, 'passedon')
    // The edge says who sent it, whatever a sender says of himself.
    await send(cluster.url, 'lied')
    const hostOf = (searchQuery: string) => call(second('query'), { searchQuery })
    await expect
      .poll(() => hostOf('passedon'), SEARCHABLE)
      .toMatch(/name="host"[^>]*>192\.0\.2\.7</)
    await expect.poll(() => hostOf('lied'), SEARCHABLE).toMatch(/name="host"[^>]*>127\.0\.0\.1</)
  })

  it('shows the metrics of each role to who has the token, wherever he is, and no other of its pages', async () => {
    const ask = async (url: string, path: string, authorization: string) => {
      // Passed on by a proxy of this machine: it comes from elsewhere.
      const headers = { authorization, 'x-forwarded-for': '192.0.2.7' }
      return (await fetch(`${url}${path}`, { headers })).status
    }
    const token = `Bearer ${METRICS_TOKEN}`
    for (const { url } of cluster.nodes) {
      expect(await ask(url, '/metrics', token)).toBe(200)
      expect(await ask(url, '/metrics', `${token}x`)).toBe(401)
    }
    expect(await ask(first('query').url, '/logeye/api/search/histogram', token)).toBe(401)
  })

  it.each<[string, () => Readonly<Record<string, string>>, string]>([
    [
      'a password of the database',
      () => ({ LOGEYE_DATABASE_URL: cluster.engines.database.replace(/:\w+@/, ':wrong@') }),
      'user or password is wrong',
    ],
    [
      'a password of the store',
      () => ({ LOGEYE_STORE_URL: cluster.engines.store.replace(/:\w+@/, ':wrong@') }),
      'user or password is wrong',
    ],
    [
      'a user of the brokers',
      () => ({
        LOGEYE_EVENT_LOG_URL: `kafka://wrong:wrong@127.0.0.1:${cluster.kafka.brokers[0]?.saslPort}/logeye?sasl=scram-sha-512`,
      }),
      'refuse the user or the password',
    ],
  ])(
    'refuses the start of one more with a wrong address, in one line: %s',
    async (_, wrong, reason) => {
      const { eventLog, store, database } = cluster.engines
      const dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-refused-'))
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, '../../../dist/main.js'), 'start'],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: {
            ...process.env,
            LOGEYE_ROLES: 'listener',
            LOGEYE_DATA_DIR: dataDir,
            LOGEYE_HTTP_PLAIN_PORT: '0',
            LOGEYE_EVENT_LOG_URL: eventLog,
            LOGEYE_STORE_URL: store,
            LOGEYE_DATABASE_URL: database,
            LOGEYE_LOG_LEVEL: 'error',
            ...wrong(),
          },
        },
      )
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += chunk
        })
      const [status] = await once(child, 'close')
      rmSync(dataDir, { recursive: true, force: true })
      expect([status, output.trimEnd().split('\n')]).toEqual([1, [expect.stringContaining(reason)]])
      expect(output).toMatch(/^logeye: /)
    },
  )

  it('finds what either listener took in either query process', async () => {
    for (const listener of cluster.of('listener'))
      expect((await post(listener.url, '{"message":"either way"}')).status).toBe(200)
    for (const query of cluster.of('query'))
      await expect.poll(() => count(query, 'either'), SEARCHABLE).toBe(2)
  })

  it('reads the receipt of one listener at the other one', async () => {
    const { receipt } = await post(first('listener').url, '{"message":"received"}')
    const query = `token=${cluster.secrets.token}&receipt=${receipt}`
    const read = async () =>
      (await fetch(`${second('listener').url}/logeye/api/receipt.jsp?${query}`)).json()
    await expect.poll(read, SEARCHABLE).toEqual({ durable: true, stored: true })
  })

  it('takes a new account at each listener at once, whichever process made it', async () => {
    const made = await sdk(first('query'), 'addListener', { name: 'shared' })
    const token = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(made)?.[0]
    expect(token).toBeDefined()
    for (const { url } of cluster.of('listener'))
      expect((await post(url, '{"message":"shared"}', token)).status).toBe(200)
  })

  it('pages through one result at both query processes in turn, each row once and in order', async () => {
    const lines = Array.from({ length: ROWS }, (_, n) => {
      const timestamp = new Date(Date.now() - ROWS + n).toISOString()
      const text = `${n * 7919} the quick brown fox jumps over the lazy dog`
      return JSON.stringify({ timestamp, message: `numbered ${n} ${text} ${text} ${text}` })
    })
    for (const [at, listener] of cluster.of('listener').entries()) {
      const half = lines.slice((at * ROWS) / 2, ((at + 1) * ROWS) / 2).join('\n')
      expect((await post(listener.url, half)).status).toBe(200)
    }
    await expect.poll(() => count(first('query'), 'numbered'), SEARCHABLE).toBe(ROWS)
    const numbers: number[] = []
    const paging = { paginate: 'true', maxRecordsPerPage: String(PAGE) }
    let page = await call(first('query'), { searchQuery: 'numbered', ...paging })
    const token = /token="([^"]+)"/.exec(page)?.[1] ?? ''
    for (let at = 0; at < 6; at += 1) {
      numbers.push(...[...page.matchAll(/>numbered (\d+) /g)].map((match) => Number(match[1])))
      page = await call(at % 2 === 0 ? second('query') : first('query'), { token })
    }
    expect(numbers).toEqual(Array.from({ length: 6 * PAGE }, (_, n) => ROWS - 1 - n))
  })

  it('ends a search of one query process when the other one is told to', async () => {
    const searchId = 'from afar'
    const running = call(first('query'), { searchQuery: `${SLOW} | count`, searchId })
    const cancel = { widgetId: 'cancelSearch', searchId }
    await expect
      .poll(() => call(second('query'), cancel), { timeout: 10_000 })
      .toContain('state="OK"')
    expect(await running).toContain('<Message code="4">')
  })

  it('has one leader of the scheduler, and another one takes over from it', async () => {
    const leaders = async () => {
      const found = await Promise.all(
        cluster.of('scheduler').map((node) => metric(node, 'logeye_scheduler_leader')),
      )
      return found.map((it, at) => (it === 1 ? at : -1)).filter((at) => at >= 0)
    }
    await expect.poll(async () => (await leaders()).length, SEARCHABLE).toBe(1)
    const [leader = 0] = await leaders()
    // Stopped, not ended: nobody starts it again, and it wakes up as one that is not the leader any
    // more.
    const node = cluster.of('scheduler')[leader]
    node?.signal('SIGSTOP')
    const other = cluster.of('scheduler')[1 - leader]
    const startedMs = performance.now()
    await expect
      .poll(() => other && metric(other, 'logeye_scheduler_leader'), { timeout: FAIL_OVER_MS })
      .toBe(1)
    console.log(`another leader after ${Math.round(performance.now() - startedMs)} ms`)
    node?.signal('SIGCONT')
    await expect.poll(leaders, SEARCHABLE).toEqual([1 - leader])
  })

  it('is renewed one process after the other without a request that fails', async () => {
    const over = new AbortController()
    const failed: string[] = []
    let sent = 0
    let searches = 0
    const sending = [1, 2, 3, 4].map(async (sender) => {
      for (let n = 0; !over.signal.aborted; n += 1) {
        const body = JSON.stringify({ message: `renewed event`, key: `${sender}-${n}` })
        const answer = await post(cluster.url, body).catch(String)
        if (typeof answer === 'object' && answer.status === 200) sent += 1
        else failed.push(`event: ${JSON.stringify(answer)}`)
      }
    })
    const searching = (async () => {
      for (; !over.signal.aborted; searches += 1) {
        const found = await call(cluster, { searchQuery: '* | count' }).catch(String)
        if (!found.includes('state="OK"')) failed.push(`search: ${found.slice(0, 300)}`)
      }
    })()
    const fronts = [...cluster.of('query'), ...cluster.of('listener')]
    for (const node of [first('scheduler'), first('writer'), ...fronts]) {
      const before = node.pid()
      await cluster.edge.drain(node.url)
      node.signal('SIGTERM')
      await expect.poll(() => node.pid(), SEARCHABLE).not.toBe(before)
      await node.untilReady()
      cluster.edge.undrain(node.url)
    }
    over.abort()
    await Promise.all([...sending, searching])
    expect(failed).toEqual([])
    expect(searches).toBeGreaterThan(0)
    expect(sent).toBeGreaterThan(100)
    await expect.poll(() => count(first('query'), 'renewed'), SEARCHABLE).toBe(sent)
  })

  it('loses and doubles nothing while one of each role is killed, and no sender waits for ever', async () => {
    const load = startLoad('surviving')
    for (const role of [...COPIED_ROLES, 'store'] as const) {
      await load.goesOn()
      first(role).signal('SIGKILL')
      if (role === 'query') {
        const found = await call(second('query'), { searchQuery: 'surviving | count' })
        expect(found).toContain('state="OK"')
      }
      await load.goesOn()
      await Promise.all(cluster.nodes.map((node) => node.untilReady()))
    }
    await load.end()
  })

  it('loses and doubles nothing while one of each role stands still for longer than its partitions are kept for it', async () => {
    const load = startLoad('patient')
    await load.goesOn()
    const still = COPIED_ROLES.map(first)
    for (const node of still) node.signal('SIGSTOP')
    const seen = await count(second('query'), 'patient')
    // The other writer has the partitions of the one that stands still.
    await expect
      .poll(() => count(second('query'), 'patient'), { ...SEARCHABLE, timeout: FAIL_OVER_MS })
      .toBeGreaterThan(seen + 20)
    for (const node of still) node.signal('SIGCONT')
    await load.goesOn()
    await load.end()
  })
})

/** Senders that repeat with a key what was not acknowledged; `end` fails unless each event is found
 *  once. */
function startLoad(word: string): { goesOn(): Promise<void>; end(): Promise<void> } {
  let sent = 0
  let isOver = false
  const isTaken = async (body: string, key: string) => {
    try {
      return (await post(cluster.url, body, undefined, key)).status === 200
    } catch {
      return false
    }
  }
  const send = async (sender: number) => {
    for (let n = 0; !isOver; n += 1) {
      const key = `${word}-${sender}-${n}`
      const body = JSON.stringify({ message: `${word} event ${key}`, key })
      await waitUntil('a listener takes the event', () => isTaken(body, key))
      sent += 1
    }
  }
  const senders = [1, 2, 3, 4].map(send)
  return {
    goesOn: async () => {
      const before = sent
      await waitUntil('more events are sent', () => sent >= before + 50)
    },
    end: async () => {
      isOver = true
      await Promise.all(senders)
      expect(sent).toBeGreaterThan(100)
      for (const query of cluster.of('query')) {
        await expect.poll(() => count(query, word), SEARCHABLE).toBe(sent)
        const kinds = await call(query, { searchQuery: `${word} | distinct count key` })
        expect(kinds).toContain(`>${sent}<`)
      }
    },
  }
}
