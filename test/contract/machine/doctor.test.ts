// What `doctor` says of planted faults: each is made for real where a test can make it; what only a
// running product can tell is given as its own metrics would say it.
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSelfSigned } from '../../../infra/cli/self-signed.ts'
import { readBuiltMs } from '../../../infra/cli/version.ts'
import type { Clock } from '../../../infra/clock.ts'
import { type Config, configSchema } from '../../../infra/config-schema.ts'
import type { Finding, NamedFinding } from '../../../infra/doctor/check.ts'
import { CHECKS } from '../../../infra/doctor/checks.ts'
import { runChecks } from '../../../infra/doctor/run-checks.ts'
import { type RunningProduct, readRunningProduct } from '../../../infra/doctor/running-product.ts'
import { newLink, setupOf } from '../../../infra/heartbeat/portal-link.ts'
import { nameDamage } from '../../../infra/metastore/ledger/store-damage.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { findFreePort } from '../../support/product/product.ts'
import { testClock } from '../../support/run/test-clock.ts'

const DAY_MS = 86_400_000

let dataDir: string
let freePort: number
let db: QueryDatabase
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'logeye-test-doctor-'))
  freePort = await findFreePort()
  db = await openQueryDatabase()
})
afterAll(async () => {
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Planted = {
  readonly given?: Readonly<Record<string, unknown>>
  readonly clock?: Clock
  readonly product?: RunningProduct
}

/** Of the check `name`; of SQLite's files there are none in this directory. */
async function examine(name: string, planted: Planted = {}): Promise<readonly Finding[]> {
  const { given = {}, clock = testClock, product } = planted
  const { http = {}, ...others } = given
  const config: Config = configSchema.parse({
    dataDir,
    http: { address: '127.0.0.1', plainPort: freePort, ...Object(http) },
    ...others,
  })
  const checks = CHECKS.filter((it) => it.name === name)
  expect(checks).toHaveLength(1)
  const found = await runChecks(checks, {
    config,
    clock,
    metastore: db.metastore,
    product,
    mayNameLogs: true,
  })
  return found.map(({ check, ...finding }: NamedFinding) => {
    expect(check).toBe(name)
    return finding
  })
}

const advised = (grade: 'bad' | 'warn', text: RegExp, advice: RegExp) => [
  { grade, text: expect.stringMatching(text), advice: expect.stringMatching(advice) },
]
const fine = [{ grade: 'ok', text: expect.any(String) }]
const at = (ms: number): Clock => ({ ...testClock, nowMs: () => ms })

function says(metrics: string, ready: Record<string, boolean> = { writer: true }): RunningProduct {
  const text = `# HELP anything as a process tells it\n${metrics}\n`
  return readRunningProduct([{ process: 'work', ready, metrics: text }])
}

describe('doctor finds', () => {
  it('a full disk', async () => {
    expect(await examine('disk')).toEqual(fine)
    const given = { listener: { diskReserveBytes: 2 ** 50 } }
    expect(await examine('disk', { given })).toEqual(
      advised('bad', /are free, less than the reserve of 1\d\d\d? TiB: events are refused/, /room/),
    )
  })

  it('a directory that cannot be written', async () => {
    expect(await examine('disk speed')).toEqual([
      { ...fine[0], text: expect.stringMatching(/^a flush to the disk takes [\d.]+ ms/) },
    ])
    const given = { dataDir: join(dataDir, 'missing') }
    expect(await examine('disk speed', { given })).toEqual(
      advised('bad', /^nothing can be written into .* \(ENOENT\)/, /right to write/),
    )
  })

  it('files that every user can read', async () => {
    chmodSync(dataDir, 0o700)
    writeFileSync(join(dataDir, 'a.key'), 'key', { mode: 0o644 })
    expect(await examine('permissions')).toEqual(fine)
    chmodSync(dataDir, 0o755)
    expect(await examine('permissions')).toEqual(
      advised('warn', /can read a\.key in/, /^chmod -R o-rwx /),
    )
    for (const path of [dataDir, ...readdirSync(dataDir).map((name) => join(dataDir, name))])
      chmodSync(path, statSync(path).mode & 0o770)
    expect(await examine('permissions')).toEqual(fine)
  })

  it('a wrong clock', async () => {
    // No test date is before the program was made.
    const nowMs = Math.ceil(Math.max(testClock.nowMs(), readBuiltMs() ?? 0)) + 1
    const examineNow = () => examine('clock', { clock: at(nowMs) })
    expect(await examineNow()).toEqual(fine)
    const long = Date.UTC(1970, 0, 2)
    expect(await examine('clock', { clock: at(long) })).toEqual(
      advised('bad', /says 1970-01-02.* before this program was made/, /NTP/),
    )
    await db.metastore.audit({
      userId: null,
      userName: 'somebody',
      address: '10.0.0.1',
      action: 'test',
      target: '',
      result: 'done',
      details: {},
    })
    // Later than the program, earlier than what it wrote.
    await db.database.write(async (transaction) => {
      await transaction
        .updateTable('audit')
        .set({ at_ms: nowMs + 3_600_000 })
        .execute()
    })
    expect(await examineNow()).toEqual(advised('bad', /it was set back, or was ahead/, /NTP/))
    await db.database.write(async (transaction) => {
      await transaction.deleteFrom('audit').execute()
    })
    expect(await examineNow()).toEqual(fine)
  })

  it('too little memory', async () => {
    const given = { store: { maxMemoryBytes: 2 ** 50 } }
    expect(await examine('memory', { given })).toEqual(
      advised('bad', /of memory.* are needed/, /LOGEYE_STORE_MAX_MEMORY_BYTES/),
    )
  })

  it('a port that another program has', async () => {
    expect(await examine('ports')).toEqual(advised('warn', /does not run here/, /start it/))
    const other = createServer().listen(freePort, '127.0.0.1')
    await once(other, 'listening')
    try {
      expect(await examine('ports')).toEqual(
        advised('bad', new RegExp(`${freePort}`), /LOGEYE_HTTP_PLAIN_PORT/),
      )
    } finally {
      other.close()
      await once(other, 'close')
    }
    expect(await examine('ports', { product: says('') })).toEqual(fine)
  })

  it('a certificate that ends, has ended, is for another name, or has another key', async () => {
    const [certificateFile, keyFile] = [join(dataDir, 'c.pem'), join(dataDir, 'k.pem')]
    const { certificate, key } = makeSelfSigned(['logs.example'], testClock)
    writeFileSync(certificateFile, certificate)
    writeFileSync(keyFile, key)
    const given = { http: { certificateFile, keyFile }, publicUrl: 'https://logs.example' }
    const inDays = (days: number) => at(testClock.nowMs() + days * DAY_MS)
    expect(await examine('certificate', { given })).toEqual(fine)
    expect(await examine('certificate', { given, clock: inDays(380) })).toEqual(
      advised('warn', /^the certificate ends on /, /renew/),
    )
    expect(await examine('certificate', { given, clock: inDays(400) })).toEqual(
      advised('bad', /^the certificate ended on /, /renew/),
    )
    expect(await examine('certificate', { given, clock: inDays(-9) })).toEqual(
      advised('bad', /^the certificate is valid from /, /clock/),
    )
    const other = { ...given, publicUrl: 'https://other.example:8443' }
    expect(await examine('certificate', { given: other })).toEqual(
      advised('warn', /is not for other\.example/, /that name/),
    )
    writeFileSync(keyFile, makeSelfSigned(['logs.example'], testClock).key)
    expect(await examine('certificate', { given })).toEqual([
      { grade: 'bad', text: expect.stringContaining('certificate') },
    ])
  })

  it('links that lead to this machine alone', async () => {
    expect(await examine('public url')).toEqual(
      advised('warn', /^links in answers begin with http:\/\/localhost/, /LOGEYE_PUBLIC_URL/),
    )
  })

  it('damage of the store', async () => {
    const damage = { id: 'ab', kind: 'events', policyId: 1, day: 20_000, logId: 0 } as const
    const facts = { partition: 0, events: 7, bytes: 70, fromMs: null, toMs: null, foundMs: 0 }
    await nameDamage(db.database, { ...damage, ...facts })
    expect(await examine('store')).toEqual(advised('bad', /7 events/, /acceptDamage/))
  })

  it('an engine that is away', async () => {
    const product = says('', { writer: true, store: false })
    expect(await examine('parts', { product })).toEqual(
      advised('bad', /^not ready: work: store$/, /log/),
    )
  })

  it.each([
    ['writer', 'bad', 'logeye_writer_stopped{partition="3",process="work"} 1', /partitions.*: 3/],
    [
      'writer',
      'bad',
      'logeye_writer_oldest_unstored_seconds{partition="0"} 301.5\nlogeye_writer_lag_bytes{partition="0"} 3145728',
      /302 s behind, 3 MiB wait/,
    ],
    [
      'backlog',
      'bad',
      'logeye_writer_lag_bytes{partition="0"} 1e15',
      /events are refused with 500/,
    ],
    [
      'guard',
      'warn',
      'logeye_writer_overflow_events_total 12',
      /12 events went to an overflow log/,
    ],
    [
      'rejected',
      'warn',
      'logeye_listener_events_total{state="received"} 40\nlogeye_listener_events_total{state="rejected"} 4',
      /4 of 40 events were rejected/,
    ],
    [
      'templates',
      'warn',
      'logeye_writer_template_events_total{template="Shop",outcome="fitting"} 94\nlogeye_writer_template_events_total{template="Shop",outcome="others"} 6\nlogeye_writer_template_events_total{template="Few",outcome="others"} 99\nlogeye_writer_template_events_total{template="Fine",outcome="fitting"} 95\nlogeye_writer_template_events_total{template="Fine",outcome="others"} 5',
      /since the start: Shop \(6 of 100\);/,
    ],
    [
      'tokens',
      'warn',
      'logeye_listener_requests_total{answer="token_invalid",process="a\\"b"} 5',
      /^5 requests were refused/,
    ],
    [
      'jobs',
      'warn',
      'logeye_scheduler_failures_total{name="audit-retention"} 2\nlogeye_scheduler_last_success_timestamp_seconds{name="audit-retention"} 17',
      /jobs that fail: audit-retention/,
    ],
  ] as const)('%s: %s by its metrics', async (name, grade, metrics, text) => {
    expect(await examine(name)).toEqual([])
    expect(await examine(name, { product: says('') })).toEqual(fine)
    expect(await examine(name, { product: says(metrics) })).toEqual(advised(grade, text, /./))
  })

  it('a portal that takes no reports', async () => {
    expect(await examine('portal')).toEqual(fine)
    const portalUrl = 'http://127.0.0.1:1'
    const licenseKey = `lic_${'a'.repeat(20)}`
    const link = newLink(setupOf(portalUrl, licenseKey), testClock.nowMs())
    await db.database.write(async (transaction) => {
      await setSetting(transaction, 'system.portalUrl', portalUrl)
      await setSetting(transaction, 'system.portalLicenseKey', licenseKey)
      const failed = { ...link, failure: 'unreachable', reason: 'nothing listens there' }
      const row = { number: 1, ...failed, reached_ms: testClock.nowMs() }
      await transaction.insertInto('portal_link').values(row).execute()
    })
    await db.metastore.refresh()
    expect(await examine('portal')).toEqual(fine)
    const later = { clock: at(testClock.nowMs() + 30 * 3_600_000) }
    expect(await examine('portal', later)).toEqual(
      advised('warn', /no report for 30 hours: nothing listens there/, /system.portalUrl/),
    )
    await db.database.write(async (transaction) => {
      const failed = { failure: 'license_revoked', license_state: 'suspended' }
      await transaction.updateTable('portal_link').set(failed).execute()
    })
    expect(await examine('portal')).toEqual([
      ...advised('warn', /licence was revoked/, /-portalLicenseKey/),
      ...advised('warn', /is suspended/, /vendor/),
    ])
  })

  it('security that is off', async () => {
    expect(await examine('security')).toEqual(fine)
    await db.database.write(async (transaction) => {
      await transaction
        .insertInto('settings')
        .values({ name: 'system.security', value: 'false' })
        .execute()
      await transaction
        .updateTable('changes')
        .set((one) => ({ version: one('version', '+', 1) }))
        .execute()
    })
    await db.metastore.refresh()
    expect(await examine('security')).toEqual(advised('bad', /is off/, /-security true/))
  })
})

it('a check that fails or takes too long is a finding, and the others are made', async () => {
  const never = { name: 'never', run: () => new Promise<never>(() => {}) }
  const broken = {
    name: 'broken',
    run: () => {
      throw new Error('a secret')
    },
  }
  const last = { name: 'last', run: () => [{ grade: 'ok', text: 'is fine' }] as const }
  // The limit of the first check is over at once.
  let limits = 0
  const clock: Clock = {
    ...testClock,
    sleep: (ms, signal) => {
      limits += 1
      return limits === 1 ? Promise.resolve() : testClock.sleep(ms, signal)
    },
  }
  const config = configSchema.parse({ dataDir })
  const nothing = { config, metastore: undefined, product: undefined, mayNameLogs: false }
  expect(await runChecks([never, broken, last], { ...nothing, clock })).toEqual([
    { check: 'never', grade: 'bad', text: 'gave no answer within 20 s' },
    { check: 'broken', grade: 'bad', text: 'the check failed' },
    { check: 'last', grade: 'ok', text: 'is fine' },
  ])
})
