// `systemState` and the searches of the health page, at a running product.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemState } from '../../../schemas/sdk/lifecycle/system-state.ts'
import { callSdk } from '../../support/clients/call-sdk.ts'
import { type Product, startProduct } from '../../support/product/product.ts'

const SOON = { timeout: 240_000, interval: 250 }
let dataDir: string
let product: Product

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-state-'))
  product = await startProduct({ dataDir })
}, 200_000)
afterAll(async () => {
  await product?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function read() {
  const admin = { url: product.url, password: product.secrets.password }
  const { response } = await callSdk(admin, 'systemState', {})
  return systemState.answer.parse(response)
}

async function send(body: string): Promise<number> {
  const { url, secrets } = product
  const answer = await fetch(`${url}/logeye/api/logger.jsp?token=${secrets.token}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
  })
  await answer.text()
  return answer.status
}

it('tells what came in, what waits, and what each process takes', async () => {
  const before = await read()
  expect(before.events).toEqual({ received: 0, rejected: 0, stored: expect.any(Number) })
  expect(before.waiting).toEqual({ bytes: expect.any(Number), seconds: expect.any(Number) })
  const texts = Array.from({ length: 30 }, (_, at) => ({ message: `order ${at}` }))
  expect(await send(JSON.stringify(texts))).toBe(200)
  // What is stored is counted a moment after nothing waits any more.
  const isDone = ({ events, waiting, processes }: Awaited<ReturnType<typeof read>>) =>
    events.received === 30 &&
    events.stored - before.events.stored >= 30 &&
    waiting.bytes === 0 &&
    processes.every(({ notReady }) => notReady.length === 0)
  await expect.poll(async () => isDone(await read()), SOON).toBe(true)
  const state = await read()
  expect(state.events).toMatchObject({ received: 30, rejected: 0 })
  expect(state.receivedBytes).toBeGreaterThan(30 * 'order 1'.length)
  expect(state.disk.bytes).toBeGreaterThan(state.disk.freeBytes ?? Number.POSITIVE_INFINITY)
  const roles = new Map(state.processes.map(({ name, roles: own }) => [name, own]))
  expect(roles.get('front')).toContain('listener')
  expect(roles.get('work')).toContain('writer')
  expect(roles.get('store')).toEqual(['store'])
  for (const one of state.processes) {
    expect(one.memoryBytes).toBeGreaterThan(10 * 2 ** 20)
    expect(one.processors).toBeGreaterThan(0)
    expect(Date.parse(one.started ?? '')).toBeGreaterThan(Date.parse(state.asOf) - 3_600_000)
  }
}, 120_000)

it('is told by processes alone that run on this machine', async () => {
  const { processes } = await read()
  const running = product.processes().map(({ role }) => role)
  expect(processes.map(({ name }) => name).toSorted()).toEqual(running.toSorted())
}, 60_000)
