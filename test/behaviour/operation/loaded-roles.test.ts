// A process loads the roles that it runs and nothing of the others: V8 itself says which modules
// were in it when it ended.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { findFreePort, type Product, startProduct } from '../../support/product/product.ts'

const coverageSchema = z.object({ result: z.array(z.object({ url: z.string() })) })
const NO_SECRETS = { token: '', password: '' }

const place = mkdtempSync(join(tmpdir(), 'logeye-test-loaded-'))
let storeUrl = ''
let store: Product

beforeAll(async () => {
  storeUrl = `http://logeye:${'p'.repeat(20)}@127.0.0.1:${await findFreePort()}`
  store = await start('store')
})
afterAll(async () => {
  await store?.stop()
  rmSync(place, { recursive: true, force: true })
})

async function start(roles: string): Promise<Product> {
  const coverage = join(place, `${roles}-coverage`)
  mkdirSync(coverage, { recursive: true })
  return await startProduct({
    dataDir: join(place, roles),
    secrets: NO_SECRETS,
    environment: {
      LOGEYE_ROLES: roles,
      LOGEYE_STORE_URL: storeUrl,
      NODE_V8_COVERAGE: coverage,
    },
  })
}

/** A process that ends too late is killed, and leaves none: it is started once more. */
async function coverageOf(roles: string, product: Product): Promise<string[]> {
  const [{ pid } = { pid: 0 }] = product.processes()
  await product.stop()
  const folder = join(place, `${roles}-coverage`)
  const texts = readdirSync(folder)
    .filter((name) => name.startsWith(`coverage-${pid}-`))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const isKilled = product.output().includes('process does not stop, killing it')
  return texts.length === 0 && isKilled ? await coverageOf(roles, await start(roles)) : texts
}

/** Of our own modules, in the role process of a start with these roles. */
async function loadedBy(roles: string): Promise<string[]> {
  const texts = await coverageOf(roles, roles === 'store' ? store : await start(roles))
  return texts
    .flatMap((text) => coverageSchema.parse(JSON.parse(text)).result)
    .flatMap(({ url }) => /\/dist\/(.+)\.js$/.exec(url)?.[1] ?? [])
}

const APP = 'query/app'
const LISTENER = 'ingest/listener/open'
const WRITER = 'ingest/writer/start'
const ENGINE = 'infra/store/server/engine'
const KAFKA = 'infra/event-log/kafka/kafka'

it.each([
  ['listener', [LISTENER], [APP, WRITER, ENGINE, KAFKA]],
  ['query', [APP], [LISTENER, WRITER, ENGINE, KAFKA]],
  ['writer', [WRITER], [APP, LISTENER, ENGINE, KAFKA, 'infra/scheduler/start']],
  ['scheduler', ['infra/scheduler/start'], [APP, LISTENER, WRITER, ENGINE, KAFKA]],
  ['store', [ENGINE], [APP, LISTENER, WRITER, 'infra/metastore/open', 'infra/event-log/open']],
])('a start of the role %s loads what it needs only', async (role, needed, strange) => {
  const loaded = await loadedBy(role)
  expect(loaded).toEqual(expect.arrayContaining(needed))
  expect(loaded.filter((name) => strange.includes(name))).toEqual([])
  if (role === 'listener') expect(loaded.filter((name) => name.startsWith('query/'))).toEqual([])
})
