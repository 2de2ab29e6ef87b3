// A store that stands still while events come: a line of the log, the gauges and health say so.
// That it is said within two seconds is shown on a clock of its own
// (test/unit/infra/supervisor/readiness.test.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Product, startProduct } from '../../support/product/product.ts'
import { SOON } from '../../support/run/patience.ts'

/** The store's size is read every 15 seconds. */
const LATER = { timeout: 240_000, interval: 500 }
const LINE = /^\{.*"message":"part is (?:not ready|ready again)".*\}$/gm

let product: Product
const dataDir = mkdtempSync(join(tmpdir(), 'logeye-standstill-'))

beforeAll(async () => {
  product = await startProduct({ dataDir })
}, 200_000)

afterAll(async () => {
  await product.killAll()
  rmSync(dataDir, { recursive: true, force: true })
})

const changes = (): Record<string, unknown>[] =>
  (product.output().match(LINE) ?? []).map((line) => JSON.parse(line))

/** Since it was made to stand still: a busy machine may have told of a slow answer before. */
let from = 0
const changesOf = (message: string, part: string) =>
  changes()
    .slice(from)
    .filter((it) => it.message === message && it.part === part)
/** What was told of it last, by process. */
const lastOf = (part: string) =>
  Object.fromEntries(
    changes()
      .filter((it) => it.part === part)
      .map((it) => [it.process, it.message]),
  )

async function gauge(name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text()
  const sample = new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\S+)$`, 'm').exec(text)
  return Number(sample?.[1] ?? Number.NaN)
}

async function send(message: string): Promise<number> {
  const { status } = await fetch(
    `${product.url}/logeye/api/logger.jsp?token=${product.secrets.token}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
    },
  )
  return status
}

it('says what runs and what it holds', async () => {
  expect(await send('first')).toBe(200)
  await expect.poll(() => gauge('logeye_writer_oldest_unstored_seconds'), SOON).toBe(0)
  expect(await gauge('logeye_build_info', `node="${process.versions.node}"`)).toBe(1)
  expect(await gauge('logeye_disk_free_bytes')).toBeGreaterThan(0)
  expect(await gauge('logeye_disk_bytes')).toBeGreaterThan(await gauge('logeye_disk_free_bytes'))
  await expect.poll(() => gauge('logeye_store_rows', 'table="events"'), LATER).toBeGreaterThan(0)
  expect(await gauge('logeye_store_bytes', 'table="events"')).toBeGreaterThan(0)
}, 60_000)

it('tells of a store that stands still, and that it is back', async () => {
  const store = await product.pidOf('store')
  from = changes().length
  process.kill(store, 'SIGSTOP')
  try {
    expect(await send('while it stands')).toBe(200)
    await expect
      .poll(
        () => [...new Set(changesOf('part is not ready', 'store').map((it) => it.process))].sort(),
        SOON,
      )
      .toEqual(['front', 'work'])
    expect(changesOf('part is not ready', 'store')).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        cause: 'does not answer',
        since: expect.any(String),
      }),
    )
    await expect.poll(() => gauge('logeye_writer_store_up'), SOON).toBe(0)
    await expect
      .poll(() => changesOf('part is not ready', 'writer'), SOON)
      .toContainEqual(expect.objectContaining({ cause: 'the store takes nothing' }))
    await expect.poll(() => gauge('logeye_writer_oldest_unstored_seconds'), SOON).toBeGreaterThan(1)
    expect(
      changes()
        .slice(from)
        .every((it) => it.cause !== 'Error'),
    ).toBe(true)
  } finally {
    process.kill(store, 'SIGCONT')
  }
  await expect
    .poll(() => lastOf('store'), SOON)
    .toEqual({ front: 'part is ready again', work: 'part is ready again' })
  await expect.poll(() => gauge('logeye_writer_store_up'), SOON).toBe(1)
  await expect.poll(() => gauge('logeye_writer_oldest_unstored_seconds'), SOON).toBe(0)
  expect(product.output()).not.toMatch(/"cause":"Error"/)
}, 120_000)
