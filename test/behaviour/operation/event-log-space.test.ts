// The product gives the event log's space back while it runs, with two processes that take events.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSearchClient } from '../../support/clients/search-client.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

const MIB = 1 << 20
const BODIES = 120
const EVENTS_OF_A_BODY = 100

let dataDir: string
let product: Product

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-space-'))
  const environment = process.version.startsWith('v20.') ? twoFronts() : {}
  product = await startProduct({ dataDir, environment })
})
afterAll(async () => {
  await product.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** On one port, which the quick HTTP engine alone can everywhere. */
function twoFronts(): Record<string, string> {
  return { LOGEYE_HTTP_FRONT_PROCESSES: '2' }
}

async function send(body: string): Promise<number> {
  const url = `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`
  return (await fetch(url, { method: 'POST', body })).status
}

/** Of the files by name, and of those that a process still has open though they are removed. */
function heldBytes(): number {
  const directory = join(dataDir, 'event-log')
  let bytes = 0
  for (const name of readdirSync(directory))
    bytes += statSync(join(directory, name, 'data.mdb'), { throwIfNoEntry: false })?.size ?? 0
  for (const { pid } of product.processes()) {
    const maps = readFileSync(`/proc/${pid}/maps`, 'utf8')
    for (const line of maps.split('\n'))
      if (line.includes(dataDir) && line.endsWith('data.mdb (deleted)')) bytes += 100 * MIB
  }
  return bytes
}

describe('the product', () => {
  it('holds 64 MiB at most beyond what is not stored, once it is drained', {
    timeout: 240_000,
  }, async () => {
    const works = product.processes().filter(({ role }) => role === 'work')
    for (const { pid } of works) process.kill(pid, 'SIGSTOP')
    const event = JSON.stringify({ message: 'kept for a while', filler: 'x'.repeat(MIB / 100) })
    const body = `${event}\n`.repeat(EVENTS_OF_A_BODY)
    for (let sent = 0; sent < BODIES; sent += 1) expect(await send(body)).toBe(200)
    expect(heldBytes()).toBeGreaterThan(BODIES * MIB)
    for (const { pid } of works) process.kill(pid, 'SIGCONT')
    await expect.poll(heldBytes, { timeout: 240_000, interval: 200 }).toBeLessThan(64 * MIB)
    for (let sent = 0; sent < 20; sent += 1) expect(await send(event)).toBe(200)
    const { count } = makeSearchClient(product.url, product.secrets.password)
    const all = BODIES * EVENTS_OF_A_BODY + 20
    await expect.poll(() => count('kept'), { timeout: 240_000 }).toBe(all)
  })
})
