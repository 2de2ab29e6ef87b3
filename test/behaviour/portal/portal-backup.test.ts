// A portal that is backed up while it works, and restored elsewhere, answers as it did.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import {
  type PostgresServer,
  postgresBin,
  postgresMissing,
  startPostgres,
} from '../../support/database/postgres-server.ts'
import {
  operatorOf,
  type PortalProcess,
  startPortalProcess,
} from '../../support/portal/portal-process.ts'
import { makeDocument, makeItem } from '../../support/pricing/small-book.ts'
import { describeUnless } from '../../support/run/skip.ts'

const PLAN = { name: 'P', volumeBytesPerDay: 1 }
const FAR = '2035-01-01T00:00:00Z'
const folder = mkdtempSync(join(tmpdir(), 'logeye-test-portal-backup-'))
const started: PortalProcess[] = []

afterAll(async () => {
  for (const portal of started) await portal.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** What makes a backup of a working portal, and the environment of the one that has it. */
type Way = {
  readonly environment: Readonly<Record<string, string>>
  /** `to`: a data directory that is empty. Resolves with the environment of the restored one. */
  backUp(portal: PortalProcess, to: string): Promise<Readonly<Record<string, string>>>
}

it('on SQLite answers the same where its backup is restored, made while it worked', async () => {
  const backups = join(folder, 'backups')
  await expectSame('sqlite', {
    environment: { LOGEYE_BACKUP_DIR: backups },
    backUp: async (portal, to) => {
      const printed = await portal.logeye('portal', 'backup')
      const [name = '', ...more] = readdirSync(backups)
      expect(more).toEqual([])
      expect(printed).toContain(name)
      cpSync(join(backups, name), join(to, 'portal'), { recursive: true })
      return {}
    },
  })
})

describeUnless(postgresMissing(), 'a backup by the tools of PostgreSQL', () => {
  let postgres: PostgresServer | undefined
  afterAll(() => postgres?.stop())

  it('answers the same where it is restored, made while the portal worked', async () => {
    postgres = await startPostgres()
    const { url } = postgres
    const other = new URL(url)
    other.pathname = '/restored'
    const run = (command: string, ...words: string[]) =>
      promisify(execFile)(join(postgresBin() ?? '', command), words, { timeout: 240_000 })
    await expectSame('postgres', {
      environment: { LOGEYE_PORTAL_DATABASE_URL: url },
      backUp: async (portal, to) => {
        await expect(portal.logeye('portal', 'backup')).rejects.toThrow('pg_dump')
        // In the order that the guide tells: each row finds its object.
        const dump = join(folder, 'portal.sql')
        await run('pg_dump', '--no-owner', `--dbname=${url}`, `--file=${dump}`)
        cpSync(join(folder, 'postgres', 'portal'), join(to, 'portal'), { recursive: true })
        await run('psql', `--dbname=${url}`, '--command=create database restored')
        const strict = ['--set=ON_ERROR_STOP=1', '--quiet', `--file=${dump}`]
        await run('psql', `--dbname=${other}`, ...strict)
        return { LOGEYE_PORTAL_DATABASE_URL: other.toString() }
      },
    })
  })
})

async function expectSame(place: string, way: Way): Promise<void> {
  const dataDir = join(folder, place)
  const { environment } = way
  const portal = await startPortalProcess({ dataDir, environment })
  started.push(portal)
  const operator = operatorOf(await portal.logeye('portal', 'init'))
  const call = async (
    at: PortalProcess,
    path: string,
    more: { body?: object | FormData; as?: string; of?: string; key?: string } = {},
  ) => {
    const { body, as = operator, of, key } = more
    const isForm = body instanceof FormData
    const answer = await fetch(`${at.url}/api/portal/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${as}`,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(of === undefined ? {} : { 'x-organization-id': of }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await answer.text()
    expect(answer.status, `${path}: ${text}`).toBeLessThan(300)
    return { text, headers: answer.headers }
  }
  const tell = async (...given: Parameters<typeof call>) => JSON.parse((await call(...given)).text)

  const book = makeDocument([
    makeItem('logs', [{ model: { kind: 'per_unit', unitPrice: '3' }, per: 'month' }]),
  ])
  await call(portal, '/price-books', { body: book })
  const { id } = await tell(portal, '/organizations', { body: { name: 'Kept' } })
  const license = { organizationId: id, name: 'L', plan: PLAN, validTo: FAR }
  const given = { body: license, key: 'licence' }
  const made = await call(portal, '/licenses', given)
  const { licenseKey } = JSON.parse(made.text)
  const report = { fingerprint: 'backed-up-1', name: 'b', version: '1', layout: 'X8' }
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000).toISOString()
  const meters = [{ hour, events: 3, bytes: 4567 }]
  const first = { as: licenseKey, body: { ...report, meters } }
  const { deploymentToken } = await tell(portal, '/deployments/heartbeat', first)
  const content = { lines: [{ item: 'logs', quantity: '7' }] }
  const draft = { title: 'T', content, validUntil: FAR, plan: PLAN }
  const offer = await tell(portal, '/offers', { body: draft, of: id })
  const file = new FormData()
  file.append('file', new Blob(['a,b\n1,2\n'], { type: 'text/csv' }), 'a.csv')
  const path = `/offers/${offer.id}/attachments`
  const attachment = await tell(portal, path, { body: file, of: id })
  await call(portal, '/credits/grants', { body: { amount: '5', source: 's' }, of: id })

  const end = new AbortController()
  const done: string[] = []
  const work = (async () => {
    for (let at = 0; !end.signal.aborted && at < 500; at += 1) {
      await call(portal, '/organizations', { body: { name: `Beside ${at}` } })
      done.push(`Beside ${at}`)
    }
  })()
  await expect.poll(() => done.length, { timeout: 240_000 }).toBeGreaterThan(3)
  const before = [...done]
  const second = join(folder, `${place}-restored`)
  mkdirSync(second)
  const there = await way.backUp(portal, second)
  end.abort()
  await work
  expect(done.length).toBeGreaterThan(before.length)

  const restored = await startPortalProcess({ dataDir: second, environment: there })
  started.push(restored)
  const reads = [
    ...[`/organizations/${id}`, '/licenses', '/license/status', '/credits', '/credits/movements'],
    ...['/deployments', '/usage?granularity=hour', '/offers', `/offers/${offer.id}`, path],
    ...[`${path}/${attachment.id}`, '/pricing/catalog', '/price-books'],
  ]
  for (const read of reads) {
    const of = { of: id }
    expect((await call(restored, read, of)).text, read).toBe((await call(portal, read, of)).text)
  }
  const keys = [portal, restored].map(async ({ url }) => {
    const signal = AbortSignal.timeout(30_000)
    return await (await fetch(`${url}/api/portal/v1/license/entitlement-key`, { signal })).text()
  })
  const [key, same] = await Promise.all(keys)
  expect(key).toContain('Ed25519')
  expect(same).toBe(key)
  const quoted = { body: content, of: id }
  const quote = await call(portal, '/pricing/quote', quoted)
  expect((await call(restored, '/pricing/quote', quoted)).text).toBe(quote.text)
  // Sealed with the key of the first one.
  const again = await call(restored, '/licenses', given)
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([made.text, 'true'])
  await call(restored, '/deployments/heartbeat', { as: deploymentToken, body: report })
  const kept = await tell(restored, '/organizations?limit=200')
  const names = kept.data.map((it: { name: string }) => it.name)
  for (const one of before.slice(-100)) expect(names).toContain(one)
  expect(existsSync(join(second, 'portal', 'secrets.key'))).toBe(true)
}
