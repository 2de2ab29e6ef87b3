// Calls that are sent again (decision 9.2), over two real processes of one portal on PostgreSQL,
// and over one that is killed while it works.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type PostgresServer,
  postgresMissing,
  startPostgres,
} from '../../support/database/postgres-server.ts'
import {
  operatorOf,
  type PortalProcess,
  startPortalProcess,
} from '../../support/portal/portal-process.ts'
import { describeUnless } from '../../support/run/skip.ts'

const TEST_MS = 180_000
const KEY_FILE = 'portal/secrets.key'
const page = z.object({
  data: z.array(z.object({ name: z.string() })),
  nextCursor: z.string().nullable(),
})

type Answer = { readonly status: number; readonly text: string; readonly isReplayed: boolean }

describeUnless(postgresMissing(), 'a portal of two processes', () => {
  const directory = mkdtempSync(join(tmpdir(), 'logeye-test-portals-'))
  let postgres: PostgresServer
  let portals: PortalProcess[] = []
  let operator = ''

  beforeAll(async () => {
    postgres = await startPostgres()
    const environment = { LOGEYE_PORTAL_DATABASE_URL: postgres.url }
    const [first, second] = [join(directory, 'first'), join(directory, 'second')]
    const one = await startPortalProcess({ dataDir: first, environment })
    portals = [one]
    operator = operatorOf(await one.logeye('portal', 'init'))
    // Both open what either sealed.
    mkdirSync(dirname(join(second, KEY_FILE)), { recursive: true })
    copyFileSync(join(first, KEY_FILE), join(second, KEY_FILE))
    portals.push(await startPortalProcess({ dataDir: second, environment }))
  }, TEST_MS)
  afterAll(async () => {
    await Promise.all(portals.map((it) => it.stop()))
    await postgres?.stop()
    rmSync(directory, { recursive: true, force: true })
  }, TEST_MS)

  const call = async (at: number, path: string, init: RequestInit = {}) =>
    await fetch(`${portals[at]?.url}/api/portal/v1${path}`, {
      ...init,
      headers: {
        ...{ authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
        ...init.headers,
      },
      signal: AbortSignal.timeout(30_000),
    })
  const make = async (at: number, name: string): Promise<Answer> => {
    const headers = { 'idempotency-key': name }
    const body = JSON.stringify({ name })
    const answer = await call(at, '/organizations', { method: 'POST', headers, body })
    const isReplayed = answer.headers.get('idempotent-replayed') === 'true'
    return { status: answer.status, text: await answer.text(), isReplayed }
  }
  const names = async (): Promise<string[]> => {
    const found: string[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`
      const answer = await call(1, `/organizations?kind=customer&limit=200${query}`)
      const { data, nextCursor } = page.parse(await answer.json())
      found.push(...data.map(({ name }) => name))
      cursor = nextCursor
    } while (cursor !== null)
    return found
  }

  it('does fifty equal calls at one moment once, and answers each the same', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => make(at % 2, 'Fifty')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ isReplayed }) => isReplayed)).toHaveLength(49)
    expect((await names()).filter((name) => name === 'Fifty')).toHaveLength(1)
  })

  it('does each call once that was sent again after kill -9', async () => {
    const answered = new Map<string, string>()
    const all: string[] = []
    let broken = 0
    for (let round = 0; round < 4; round += 1) {
      const keys = Array.from({ length: 25 }, (_, at) => `Killed ${round}-${at}`)
      all.push(...keys)
      if (portals[0] === undefined) throw new Error('no portal')
      const pid = await portals[0].product.pidOf('portal')
      const before = answered.size
      const calls = keys.map(async (key) => {
        const answer = await make(0, key)
        expect(answer.status).toBe(201)
        answered.set(key, answer.text)
        // The others are on their way.
        if (answered.size === before + 1 + 5 * round) process.kill(pid, 'SIGKILL')
      })
      for (const { status } of await Promise.allSettled(calls))
        if (status === 'rejected') broken += 1
      await expect.poll(() => isUp(portals[0]?.url), { timeout: 240_000, interval: 50 }).toBe(true)
      // Both processes are asked: what was done is known to all.
      for (const [at, key] of keys.entries()) {
        const again = await make(at % 2, key)
        expect(again.status).toBe(201)
        expect(again.text).toBe(answered.get(key) ?? again.text)
        if (answered.has(key)) expect(again.isReplayed).toBe(true)
      }
    }
    // Otherwise nothing was tried.
    expect(broken).toBeGreaterThan(0)
    const kept = (await names()).filter((name) => name.startsWith('Killed'))
    expect(kept.sort()).toEqual(all.sort())
  })
})

async function isUp(url = ''): Promise<boolean> {
  const asked = fetch(`${url}/api/portal/health`, { signal: AbortSignal.timeout(2000) })
  return await asked.then(
    ({ ok }) => ok,
    () => false,
  )
}
