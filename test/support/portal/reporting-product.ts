// A product that reports to the portal of the test, over a socket: its database, its counters in an
// embedded store, the job under a lease, and a clock that the test moves.

import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { rekeySecrets } from '../../../infra/cli/rekey-secrets.ts'
import type { Clock } from '../../../infra/clock.ts'
import { type Fence, Lease } from '../../../infra/database/lease.ts'
import { openToken } from '../../../infra/heartbeat/deployment-token.ts'
import { makeHeartbeat } from '../../../infra/heartbeat/heartbeat-job.ts'
import { lookAtPortal } from '../../../infra/heartbeat/look-at-portal.ts'
import { forgetPortal, readPortalLink } from '../../../infra/heartbeat/portal-link.ts'
import { readPortalUsage } from '../../../infra/heartbeat/read-portal-usage.ts'
import { call } from '../../../infra/heartbeat/send-heartbeat.ts'
import { makeHeartbeatTelemetry } from '../../../infra/heartbeat/telemetry.ts'
import { openServerKey } from '../../../infra/metastore/license/open-server-key.ts'
import { setSetting } from '../../../infra/metastore/settings/setting-changes.ts'
import { openMetrics } from '../../../infra/metrics.ts'
import { SecretKeys } from '../../../infra/secrets/secret-keys.ts'
import type { Store } from '../../../infra/store/port.ts'
import { isSettingName, type SettingName } from '../../../schemas/settings.ts'
import { open, place } from '../database/open-metastores.ts'
import { silentLogger } from '../database/query-database.ts'
import { testClock } from '../run/test-clock.ts'

export const HOUR_MS = 3_600_000

export type MovedClock = Clock & { move(ms: number): void }

export function makeMovedClock(): MovedClock {
  let movedMs = 0
  return {
    ...testClock,
    nowMs: () => testClock.nowMs() + movedMs,
    move: (ms) => {
      movedMs += ms
    },
  }
}

/** What the job is given, of which a test may lend another one. */
type Lent = { readonly held?: Fence }

export async function makeReportingProduct(options: {
  readonly clock: MovedClock
  readonly store: Store
}) {
  const { clock, store } = options
  const metastore = await open()
  const { database } = metastore
  const fingerprint = await openServerKey(database, clock)
  const metrics = openMetrics('test')
  const taken = async () => {
    const held = await new Lease({ database, clock, name: 'scheduler' }).tryTake()
    if (held === undefined) throw new Error('the lease is held')
    return held
  }
  const held = await taken()
  const keyFile = join(place.dataDir, 'secrets.key')
  const keys = new SecretKeys(keyFile, clock)
  const job = makeHeartbeat({
    installation: {
      ...{ fingerprint, version: '1.2.3', nodeName: 'node-1' },
      describe: async () => ({
        layout: 'V7',
        nodes: [{ name: 'node-1', role: 'all', version: '1.2.3' }],
      }),
    },
    keys,
    telemetry: makeHeartbeatTelemetry({ metrics, logger: silentLogger }),
  })
  const signal = new AbortController().signal
  return {
    metastore,
    database,
    held,
    metrics: () => metrics.text(),
    set: async (values: { readonly [N in SettingName]?: string }) => {
      await database.write(async (transaction) => {
        for (const [name, value] of Object.entries(values))
          if (isSettingName(name)) await setSetting(transaction, name, value)
      })
      await metastore.refresh()
    },
    /** As `settings` does when address or key are given. */
    giveAgain: () => database.write(forgetPortal),
    /** One run of the job, whatever the time. */
    run: async (lent: Lent = {}) =>
      await job.run({
        ...{ database, metastore, store, clock, logger: silentLogger, held, signal },
        ...lent,
      }),
    /** Moves the clock to the next heartbeat, and runs it. */
    beat: async () => {
      const link = await readPortalLink(database.read)
      clock.move(Math.max(0, (link?.next_ms ?? 0) - clock.nowMs()) + 1)
      await job.run({ database, metastore, store, clock, logger: silentLogger, held, signal })
    },
    link: () => readPortalLink(database.read),
    portalUsage: (window: { readonly fromHour: number; readonly toHour: number }) =>
      readPortalUsage({ metastore, keys, ...window }),
    /** With the token of the deployment. */
    askPortal: async (path: string) => {
      const token = openToken((await readPortalLink(database.read))?.token ?? '', keys)
      const portalUrl = metastore.setting('system.portalUrl')
      return await call({ portalUrl, signal }, path, { authorization: `Bearer ${token}` })
    },
    rekey: () => rekeySecrets(database, { keyFile, clock, isLossAccepted: false }),
    look: () => lookAtPortal(metastore, clock),
  }
}

export type Counted = {
  readonly atMs: number
  readonly logId?: number
  readonly events?: number
  readonly bytes: number
}

/** As the writer counts: a row more adds to what is there. */
export async function addCounts(store: Store, counts: readonly Counted[]): Promise<void> {
  const rows = counts.map(({ atMs, logId = 7, events = 1, bytes }) => {
    const quarter = Math.floor(atMs / 900_000) * 900
    return `(1, ${quarter}, ${quarter}, ${logId}, 'h', 'Default', 0, ${events}, ${bytes}, 0)`
  })
  await store.command({
    sql: `INSERT INTO counts (policy, quarter, event_quarter, log_id, host, source, partition, events, bytes, upto) VALUES ${rows.join(', ')}`,
  })
}

type Fetch = (request: Request, client: { address: string }) => Promise<Response>

/** The portal at a port, which it keeps while it is away. */
export async function servePortal(app: { readonly fetch: Fetch }) {
  const bodies: { readonly as: string; readonly meters: number }[] = []
  let isAnswerLost = false
  let server: Server | undefined
  let port = 0
  const start = async () => {
    server = createServer((incoming, answer) => {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('end', () => {
        const body = Buffer.concat(parts)
        const headers = new Headers()
        for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, `${value}`)
        if (incoming.method === 'POST') {
          const as = (headers.get('authorization') ?? '').slice('Bearer '.length, 11)
          bodies.push({ as, meters: JSON.parse(body.toString()).meters.length })
        }
        const request = new Request(`http://portal.test${incoming.url}`, {
          ...{ method: incoming.method ?? 'GET', headers },
          ...(incoming.method === 'POST' ? { body } : {}),
        })
        void app.fetch(request, { address: '192.0.2.7' }).then(async (response) => {
          if (isAnswerLost) {
            answer.destroy()
            return
          }
          answer.writeHead(response.status, Object.fromEntries(response.headers))
          answer.end(await response.text())
        })
      })
    })
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    const address = server.address()
    if (address !== null && typeof address === 'object') port = address.port
  }
  const stop = async () => {
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve))
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    start,
    stop,
    /** The portal does what it is asked, and nobody hears its answer. */
    loseAnswers: (isLost: boolean) => {
      isAnswerLost = isLost
    },
  }
}
