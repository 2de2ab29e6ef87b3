// Damage of the event log, and a data directory that goes away, as an operator and a sender see
// them.
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct } from '../../support/product/product.ts'
import { spawnSync } from '../../support/run/run-sync.ts'

const MAIN = join(import.meta.dirname, '../../../dist/main.js')
const LIMIT_MS = 30_000

let parent: string
let whole: string
let product: Product

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'logeye-test-damaged-'))
  whole = join(parent, 'whole')
  product = await startProduct({ dataDir: whole })
})
afterAll(async () => {
  await product.stop()
  rmSync(parent, { recursive: true, force: true })
})

const send = () =>
  fetch(`${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`, {
    method: 'POST',
    body: '{"message":"sent"}',
  })

async function readiness(): Promise<unknown> {
  return await (await fetch(`${product.url}/logeye/health/ready`)).json()
}

describe('while it runs', () => {
  it('answers 500 and is not ready while its data directory is elsewhere, and goes on when it is back', async () => {
    expect((await send()).status).toBe(200)
    const elsewhere = join(parent, 'elsewhere')
    renameSync(whole, elsewhere)
    const answer = await send()
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, expect.any(String)])
    await expect.poll(readiness, { timeout: LIMIT_MS }).toMatchObject({
      ready: false,
      engines: { eventLog: 'missing', database: 'missing', store: 'missing' },
    })
    expect((await send()).status).toBe(500)
    renameSync(elsewhere, whole)
    await expect.poll(async () => (await send()).status, { timeout: LIMIT_MS }).toBe(200)
    await expect.poll(readiness, { timeout: LIMIT_MS }).toMatchObject({ ready: true })
  })
})

describe('a start', () => {
  it.for([
    [
      'both first pages are noise',
      /event-log\/partition-0\/data\.mdb: its first two pages/,
      (file: string) => {
        const bytes = readFileSync(file)
        bytes.fill(0xa5, 0, 8192)
        writeFileSync(file, bytes)
      },
    ],
    [
      'the file is a link',
      /data\.mdb: it is a link/,
      (file: string) => {
        renameSync(file, `${file}-original`)
        symlinkSync(`${file}-original`, file)
      },
    ],
  ] as const)('is refused in one line when of the event log %s', async ([, line, damage]) => {
    await product.stop()
    const dataDir = mkdtempSync(join(parent, 'copy-'))
    cpSync(whole, dataDir, { recursive: true })
    damage(join(dataDir, 'event-log/partition-0/data.mdb'))
    const env = { ...process.env, LOGEYE_DATA_DIR: dataDir, LOGEYE_HTTP_PLAIN_PORT: '0' }
    const { status, stderr, stdout } = spawnSync(process.execPath, [MAIN, 'start'], {
      env,
      timeout: LIMIT_MS,
    })
    expect([status, String(stdout)]).toEqual([1, ''])
    const lines = String(stderr).trim().split('\n')
    expect(lines.filter((it) => it.startsWith('logeye:'))).toEqual([expect.stringMatching(line)])
    expect(lines.filter((it) => /process ended|SIGSEGV/.test(it))).toEqual([])
  })

  it('goes on when an operator gives up what a damaged event log held unstored', {
    timeout: 240_000,
  }, async () => {
    await product.stop()
    const file = join(whole, 'event-log/partition-0/data.mdb')
    truncateSync(file, 0)
    const env = { ...process.env, LOGEYE_DATA_DIR: whole }
    const adopted = spawnSync(process.execPath, [MAIN, 'adopt-event-log'], { env })
    expect(String(adopted.stdout)).toContain('begins anew as number 1 ')
    const { secrets } = product
    product = await startProduct({ dataDir: whole, secrets })
    const { count } = makeSearchClient(product.url, secrets.password)
    const before = await count('sent')
    expect((await send()).status).toBe(200)
    await expect.poll(() => count('sent'), { timeout: LIMIT_MS }).toBe(before + 1)
  })
})
