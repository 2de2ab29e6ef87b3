// Health and metrics (decision 1.9), in front of everything else: they answer while engines are
// away.
import { BlockList } from 'node:net'
import { type Context, Hono } from 'hono'
import { isFailure } from '../schemas/failures.ts'
import type { ToldDamage } from './metastore/ledger/tell-damage.ts'
import { mergeMetricTexts } from './metrics.ts'
import type { SecretText } from './secret-text.ts'
import type { Report } from './supervisor/messages.ts'

export const HEALTH_PATHS = ['/logeye/health/live', '/logeye/health/ready', '/metrics'] as const

type Env = { Bindings: { readonly address: string } }

/** Parts that are engines; whatever else reports is a process' own. */
const ENGINES = ['eventLog', 'store', 'database'] as const

export type HealthDeps = {
  /** Of all processes; of this one alone when there is no supervisor. */
  readonly reports: (withMetrics: boolean) => Promise<readonly Report[]>
  /** Whether a caller from elsewhere may read the metrics: an operator or administrator. */
  readonly mayReadMetrics: (request: Request, address: string) => Promise<boolean>
  /** Of the store; logs are named to who may read the metrics alone. Absent: nothing is known of
   *  it. */
  readonly damage?: (options: { withLogs: boolean }) => Promise<ToldDamage | undefined>
  /** What a collector of metrics shows instead of a user's password; absent: nothing. */
  readonly metricsToken?: SecretText | undefined
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Answers its own paths; undefined for every other. */
export function makeHealth(
  deps: HealthDeps,
): (request: Request, client: { address: string }) => Promise<Response> | undefined {
  const app = new Hono<Env>()
  app.use(async (context, next) => {
    await next()
    context.res.headers.set('cache-control', 'no-store')
  })
  app.onError((error, context) => {
    if (!isFailure(error) || error.entry.status !== 503) throw error
    return context.text(`${error.message}\n`, 503, { 'retry-after': '1' })
  })
  app.get('/logeye/health/live', (context) => context.json({ live: true }))
  app.get('/logeye/health/ready', async (context) => {
    const body = summarize(await deps.reports(false))
    const withLogs = isNearOrOurs(context, deps)
    // A database that is away is said by the parts.
    const damage = await deps.damage?.({ withLogs }).catch(() => undefined)
    return context.json({ ...body, ...(damage ? { damage } : {}) }, body.ready ? 200 : 503)
  })
  app.get('/metrics', async (context) => {
    const { address } = context.env
    if (!isNearOrOurs(context, deps) && !(await deps.mayReadMetrics(context.req.raw, address))) {
      const challenge = { 'www-authenticate': 'Basic realm="logeye", charset="UTF-8"' }
      return context.text('the metrics are for operators\n', 401, challenge)
    }
    const texts = (await deps.reports(true)).map((report) => report.metrics)
    return context.body(mergeMetricTexts(texts), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    })
  })
  app.all('*', (context) => context.text('only GET is allowed here\n', 405, { allow: 'GET, HEAD' }))

  const own = new Set<string>(HEALTH_PATHS)
  return (request, client) => {
    if (!own.has(new URL(request.url).pathname)) return undefined
    return Promise.resolve(app.fetch(request, client))
  }
}

/** From this machine, or with the token of the metrics. */
function isNearOrOurs(
  { env, req }: Context<Env>,
  { metricsToken }: Pick<HealthDeps, 'metricsToken'>,
): boolean {
  const { address } = env
  // What a proxy on this machine passes on comes from elsewhere.
  const isPassedOn = req.header('x-forwarded-for') !== undefined
  const isNear = !isPassedOn && loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  return isNear || hasToken(req.header('authorization'), metricsToken)
}

function hasToken(authorization: string | undefined, token: SecretText | undefined): boolean {
  const [, given] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  return given !== undefined && token?.is(given) === true
}

export type Readiness = {
  readonly ready: boolean
  /** Each engine that some process uses. */
  readonly engines: Readonly<Record<string, 'ready' | 'missing'>>
  readonly processes: Readonly<Record<string, Readonly<Record<string, boolean>>>>
}

/** An engine is ready when all who use it say so; the whole when every part of every process is. */
export function summarize(reports: readonly Report[]): Readiness {
  const engines: Record<string, 'ready' | 'missing'> = {}
  for (const engine of ENGINES) {
    const claims = reports.map((it) => it.ready[engine]).filter((it) => it !== undefined)
    if (claims.length > 0) engines[engine] = claims.every(Boolean) ? 'ready' : 'missing'
  }
  const parts = reports.flatMap((it) => Object.values(it.ready))
  return {
    ready: parts.length > 0 && parts.every(Boolean),
    engines,
    processes: Object.fromEntries(reports.map((it) => [it.process, it.ready])),
  }
}
