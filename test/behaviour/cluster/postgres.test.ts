// The product on PostgreSQL as an operator sees it: two products of one database, a restart, a
// database that goes away and comes back.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import {
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../support/database/postgres-server.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { patient } from '../../support/run/patience.ts'
import { execFileSync } from '../../support/run/run-sync.ts'
import { describeUnless } from '../../support/run/skip.ts'

const ROOT = join(import.meta.dirname, '../../..')

let server: PostgresServer
let one: Product
let other: Product
const directories = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'logeye-test-postgres-product-')))

async function post(product: Product, message: string, token = product.secrets.token) {
  const body = JSON.stringify({ message })
  const answer = await fetch(`${product.url}/logeye/api/logger.jsp?token=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  await answer.arrayBuffer()
  return answer
}

/** State of a search, and how many it found when that is not 0. */
async function found(product: Product, word: string): Promise<string> {
  const answer = await makeSearchClient(product.url, product.secrets.password).search(word)
  return `${answer.state} ${answer.state === 'OK' ? answer.numberOfResults : answer.message}`
}

function sdk(product: Product, ...args: string[]): string {
  const client = join(ROOT, 'dist/query/sdk/client/main.js')
  const common = ['-productURL', `${product.url}/logeye`, '-user', 'admin']
  return execFileSync(process.execPath, [client, ...common, ...args], {
    encoding: 'utf8',
    env: { ...process.env, LOGEYE_PASSWORD: product.secrets.password },
  })
}

const leaders = async (product: Product) => {
  const answer = await fetch(`${product.url}/metrics`)
  const lines = (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('logeye_scheduler_leader{'))
  return lines.map((line) => Number(line.split(' ').at(-1)))
}

describeUnless(postgresMissing(), 'a product on PostgreSQL', () => {
  beforeAll(async () => {
    server = await startPostgres()
    const environment = { LOGEYE_DATABASE_URL: server.url }
    const [first = '', second = ''] = directories
    one = await startProduct({ dataDir: first, environment })
    other = await startProduct({ dataDir: second, environment, secrets: one.secrets })
  })

  afterAll(async () => {
    await one?.killAll()
    await other?.killAll()
    await server?.stop()
    for (const directory of directories) rmSync(directory, { recursive: true, force: true })
  })

  it('finds its events again after a restart, and leaves no file of the embedded database', async () => {
    expect((await post(one, 'beforerestart')).status).toBe(200)
    await expect.poll(() => found(one, 'beforerestart'), { timeout: 240_000 }).toBe('OK 1')
    const { dataDir, port, secrets } = one
    await one.stop()
    one = await startProduct({
      dataDir,
      port,
      secrets,
      environment: { LOGEYE_DATABASE_URL: server.url },
    })
    expect(await found(one, 'beforerestart')).toBe('OK 1')
    expect((await post(one, 'afterrestart')).status).toBe(200)
    await expect.poll(() => found(one, 'afterrestart'), { timeout: 240_000 }).toBe('OK 1')
    expect(existsSync(join(dataDir, 'logeye.db'))).toBe(false)
    expect(one.output()).not.toContain('token=')
  })

  it('takes changes of the configuration from the other one', async () => {
    const made = sdk(one, '-api', 'addListener', '-name', 'shared')
    const token = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(made)?.[0] ?? ''
    const status = async () => (await post(other, 'shared', token)).status
    await expect.poll(status, { interval: 20, timeout: patient(1000) }).toBe(200)
  })

  it('has one leader of the scheduler in both together', async () => {
    const all = async () => [...(await leaders(one)), ...(await leaders(other))]
    await expect.poll(async () => (await all()).sort(), { timeout: 240_000 }).toEqual([0, 1])
  })

  it('hands the leadership on when the process that has it is killed', async () => {
    const isFirst = (await leaders(one)).includes(1)
    const leading = (isFirst ? one : other).processes().find((process) => process.role === 'work')
    if (leading === undefined) throw new Error('nobody leads')
    process.kill(leading.pid, 'SIGKILL')
    const all = async () => [...(await leaders(one)), ...(await leaders(other))].sort()
    await expect.poll(all, { timeout: 240_000 }).not.toContain(1)
    await expect.poll(all, { timeout: 240_000 }).toEqual([0, 1])
  })

  it('goes on taking events while the database is away, says so to searches and unknown tokens, and recovers by itself', async () => {
    server.kill('SIGINT')
    await server.ended()
    await expect
      .poll(async () => (await post(one, 'x', 'unknown')).status, { timeout: 240_000 })
      .toBe(500)
    const refused = await post(one, 'x', 'unknown')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await post(one, 'whileaway')).status).toBe(200)
    expect(await found(one, 'whileaway')).toBe('Fail 1: the database does not answer')
    const health = await fetch(`${one.url}/logeye/health/ready`)
    expect([health.status, await health.text()]).toEqual([503, expect.stringContaining('database')])
    await server.start()
    await expect.poll(() => found(one, 'whileaway'), { timeout: 240_000 }).toBe('OK 1')
    expect((await post(one, 'x', 'unknown')).status).toBe(400)
    expect(one.output()).not.toContain(new URL(server.url).password)
  })
})
