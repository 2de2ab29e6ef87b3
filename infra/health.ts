// Health and metrics (decision 1.9), in front of everything else: they answer while engines are
// away.
import { BlockList } from 'node:net'
import { isFailure } from '../schemas/failures.ts'
import { BASIC_CHALLENGE } from './access/basic-challenge.ts'
import { HEALTH_TABLE, LIVE_ROUTE, METRICS_ROUTE, READY_ROUTE } from './health-routes.ts'
import type { Refusal, RouteCall, ServedRoute } from './http/routes/route.ts'
import { serveRoutes } from './http/routes/serve-routes.ts'
import type { tellCollectFaults } from './metastore/collect/collect-faults.ts'
import type { ToldDamage } from './metastore/ledger/tell-damage.ts'
import { mergeMetricTexts } from './metrics.ts'
import type { SecretText } from './secret-text.ts'
import type { Report } from './supervisor/messages.ts'

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
  /** Logs whose files cannot be read; as `damage`. It changes nothing of what is ready. */
  readonly collecting?: (options: { withLogs: boolean }) => ReturnType<typeof tellCollectFaults>
  /** What to say of the licence. It changes nothing of what is ready. */
  readonly licenseWarning?: (() => Promise<string | undefined>) | undefined
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
  const routes: ServedRoute[] = [
    { ...LIVE_ROUTE, handle: () => Response.json({ live: true }) },
    { ...READY_ROUTE, handle: (call) => answerReady(call, deps) },
    { ...METRICS_ROUTE, handle: (call) => answerMetrics(call, deps) },
  ]
  const table = { routes, refuse, refusalContent: HEALTH_TABLE.refusalContent ?? {} }
  const fetch = serveRoutes([table], { refuse, onError, headers: { 'cache-control': 'no-store' } })
  const own = new Set(routes.map(({ path }) => path))
  return (request, client) =>
    own.has(new URL(request.url).pathname) ? fetch(request, client) : undefined
}

async function answerReady(call: RouteCall, deps: HealthDeps): Promise<Response> {
  const body = summarize(await deps.reports(false))
  const withLogs = isNearOrOurs(call, deps)
  // A database that is away is said by the parts.
  const damage = await deps.damage?.({ withLogs }).catch(() => undefined)
  const collecting = await deps.collecting?.({ withLogs }).catch(() => undefined)
  const warning = await deps.licenseWarning?.()
  const license = warning === undefined ? {} : { license: { warning } }
  const told = {
    ...body,
    ...(damage ? { damage } : {}),
    ...(collecting ? { collecting } : {}),
    ...license,
  }
  return Response.json(told, { status: body.ready ? 200 : 503 })
}

async function answerMetrics(call: RouteCall, deps: HealthDeps): Promise<Response> {
  if (!isNearOrOurs(call, deps) && !(await deps.mayReadMetrics(call.request, call.address)))
    return answerText('the metrics are for operators', 401, {
      'www-authenticate': BASIC_CHALLENGE,
    })
  const texts = (await deps.reports(true)).map((report) => report.metrics)
  return new Response(mergeMetricTexts(texts), {
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  })
}

function refuse({ kind, status }: Refusal): Response {
  return kind === 'other_method'
    ? answerText('only GET is allowed here', status, { allow: 'GET, HEAD' })
    : answerText('not found', status)
}

function onError(error: Error): Response {
  if (!isFailure(error) || error.entry.status !== 503) throw error
  return answerText(error.message, 503, { 'retry-after': '1' })
}

function answerText(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const all = { 'content-type': 'text/plain; charset=UTF-8', ...headers }
  return new Response(`${text}\n`, { status, headers: all })
}

/** From this machine, or with the token of the metrics. */
function isNearOrOurs(
  { request: { headers }, address }: RouteCall,
  { metricsToken }: Pick<HealthDeps, 'metricsToken'>,
): boolean {
  // What a proxy on this machine passes on comes from elsewhere.
  const isPassedOn = headers.has('x-forwarded-for')
  const isNear = !isPassedOn && loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  return isNear || hasToken(headers.get('authorization'), metricsToken)
}

function hasToken(authorization: string | null, token: SecretText | undefined): boolean {
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
