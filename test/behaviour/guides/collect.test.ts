// docs/guides/collect.md, followed word for word, seen by searches; then everything is killed while
// lines are written and files rotated.
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import {
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../support/database/postgres-server.ts'
import { type FollowedBlock, followGuide, readGuide } from '../../support/guides/follow-guide.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { type S3Server, s3Missing, startS3Server } from '../../support/remote/s3-server.ts'
import { type SshServer, sshMissing, startSshServer } from '../../support/remote/ssh-server.ts'
import { makeCollectedFolder } from '../../support/run/collected-folder.ts'
import { patient } from '../../support/run/patience.ts'

const GUIDE = 'collect.md'
const TEST_MS = 300_000
const directory = makeCollectedFolder()
const dataDir = join(directory, 'data')
const environment = { LOGEYE_ROLES: 'listener,query,writer,scheduler,collector,store' }

const noServers = [sshMissing(), s3Missing()]
let ssh: SshServer | undefined
let bucket: S3Server | undefined
let postgres: PostgresServer | undefined
let product: Product
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  product = await startProduct({ dataDir, environment })
  const { password } = product.secrets
  if (noServers.every((it) => it === undefined)) {
    ssh = await startSshServer()
    bucket = await startS3Server()
  }
  if (postgresMissing() === undefined) postgres = await startShop()
  mkdirSync(join(directory, 'edge'))
  writeFileSync(join(directory, 'edge/edge.log'), `2026-01-01 10:00:00 WARN far away\n`)
  writeFileSync(join(directory, 'key'), ssh?.privateKey ?? '', { mode: 0o600 })
  blocks = await followGuide(GUIDE, {
    ...{ url: product.url, password, directory },
    environment: {
      ...{ EDGE_HOST: '127.0.0.1', EDGE_PORT: String(ssh?.port), EDGE_USER: ssh?.userName ?? '' },
      ...{ EDGE_KEY: join(directory, 'key'), EDGE_LOGS: join(directory, 'edge') },
      ...{ BUCKET: bucket?.bucket ?? '', BUCKET_URL: bucket?.endpoint ?? '' },
      ...{ DB_HOST: '127.0.0.1', DB_PORT: String(postgres?.port), DB_NAME: 'postgres' },
      ...{ DB_USER: 'reader', DB_PASSWORD: 'of the reader', DB_CA: postgres?.caFile ?? '' },
      // The product itself: another log of it.
      ...{ OTHER_URL: product.url, OTHER_USER: 'admin', OTHER_PASSWORD: password },
      ...{ BUCKET_KEY: bucket?.accessKey ?? '', BUCKET_SECRET: bucket?.secretKey ?? '' },
    },
  })
}, TEST_MS)
afterAll(async () => {
  await product?.stop()
  await ssh?.stop()
  await bucket?.stop()
  await postgres?.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Without their servers those of other machines fail. */
const isFollowed = ({ commands }: FollowedBlock) =>
  (ssh !== undefined || !/EDGE_|BUCKET/.test(commands)) &&
  (postgres !== undefined || !/DB_|db-orders/.test(commands))

async function startShop(): Promise<PostgresServer> {
  const server = await startPostgres()
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`
    CREATE TABLE orders (id bigint, at timestamptz, text text, price numeric);
    INSERT INTO orders VALUES (1, now(), 'two books', 12.5), (2, now(), 'a pen', 3);
    CREATE USER reader PASSWORD 'of the reader'; GRANT SELECT ON orders TO reader`)
  await client.end()
  return server
}

/** Rows behind the head. */
async function found(query: string): Promise<readonly (readonly string[])[]> {
  const client = makeSearchClient(product.url, product.secrets.password)
  return (await client.search(query)).rows.slice(1)
}

const soon = { timeout: patient(30_000), interval: 500 }

it('prints no failure', () => {
  expect(blocks).toHaveLength(readGuide(GUIDE).length)
  for (const { commands, printed } of blocks.filter(isFollowed))
    expect(printed, commands).not.toMatch(/command not found|logeye-sdk: |No such file/)
})

it('collects what it says', { timeout: TEST_MS }, async () => {
  await expect.poll(() => found('* in log.shop | count'), soon).toEqual([['3']])
  await expect.poll(() => found('Level = WARN in log.shop | count'), soon).toEqual([['1']])
  await expect.poll(() => found('"at flush" in log.shop | count'), soon).toEqual([['1']])
  await expect.poll(() => found('* in log.failures | count'), soon).toEqual([['1']])
  const scan = blocks.find(({ commands }) => commands.includes('executeScanTask'))?.printed ?? ''
  expect(scan).toMatch(/done/)
  await expect.poll(() => found('* in log."shop.log" | count'), soon).toEqual([['5']])
})

it('copies a log of another Logeye', { timeout: TEST_MS }, async () => {
  await expect.poll(() => found('Level = WARN in log.west-shop | count'), soon).toEqual([['1']])
  await expect.poll(() => found('* in log.west-shop | count'), soon).toEqual([['3']])
})

it('reads rows of a database', { timeout: TEST_MS }, async (context) => {
  const missing = postgresMissing()
  if (missing !== undefined) context.skip(missing)
  await expect.poll(() => found('price > 10 in log.db-orders | count'), soon).toEqual([['1']])
  await expect.poll(() => found('* in log.db-orders | count'), soon).toEqual([['2']])
})

it('copies the files themselves', () => {
  const printed = blocks.find(({ commands }) => commands.includes('sync.xml'))?.printed ?? ''
  expect(printed).toMatch(/done/)
  const copy = join(directory, 'repository/here', directory, 'logs/shop.log')
  expect(readFileSync(copy, 'utf8')).toContain('disk full')
})

it('collects from another machine and from a bucket', { timeout: TEST_MS }, async (context) => {
  for (const missing of noServers) if (missing !== undefined) context.skip(missing)
  await expect.poll(() => found('Level = WARN in log.edge-shop | count'), soon).toEqual([['1']])
})

it('stores each line once when all is killed', { timeout: TEST_MS }, async () => {
  const path = join(directory, 'logs', 'killed.log')
  let written = 0
  const write = (count: number) => {
    for (let i = 0; i < count; i += 1) appendFileSync(path, `n=${++written} of the killed file\n`)
  }
  const { port, secrets } = product
  writeFileSync(path, '')
  write(2000)
  const operator = { url: product.url, password: secrets.password }
  const given = { name: 'killed', filePaths: `${path}*`, pattern: 'n={number:N} {text:Rest}' }
  expect(await callSdk(operator, 'addLog', given)).toMatchObject({ success: true })
  await expect
    .poll(async () => Number((await found('* in log.killed | count'))[0]?.[0]), soon)
    .toBeGreaterThan(0)
  write(3000)
  await product.killAll()
  write(100)
  renameSync(path, `${path}.1`)
  write(100)
  product = await startProduct({ dataDir, environment, port, secrets })
  write(100)
  await expect
    .poll(() => found('* in log.killed | count, distinct count N'), {
      ...soon,
      timeout: patient(60_000),
    })
    .toEqual([[String(written), String(written)]])
})
