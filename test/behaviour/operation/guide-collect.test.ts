// docs/guides/collect.md, followed word for word, seen by searches; then everything is killed while
// lines are written and files rotated.
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type FollowedBlock, followGuide, readGuide } from '../../support/guides/follow-guide.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { patient } from '../../support/run/patience.ts'

const GUIDE = 'collect.md'
const TEST_MS = 300_000
const directory = mkdtempSync(join(tmpdir(), 'logeye-test-collect-'))
const dataDir = join(directory, 'data')
const environment = { LOGEYE_ROLES: 'listener,query,writer,scheduler,collector,store' }

let product: Product
let blocks: readonly FollowedBlock[]
beforeAll(async () => {
  product = await startProduct({ dataDir, environment })
  const { password } = product.secrets
  blocks = await followGuide(GUIDE, { url: product.url, password, directory })
}, TEST_MS)
afterAll(async () => {
  await product?.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Rows behind the head. */
async function found(query: string): Promise<readonly (readonly string[])[]> {
  const client = makeSearchClient(product.url, product.secrets.password)
  return (await client.search(query)).rows.slice(1)
}

const soon = { timeout: patient(30_000), interval: 500 }

it('prints no failure', () => {
  expect(blocks).toHaveLength(readGuide(GUIDE).length)
  for (const { commands, printed } of blocks)
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
