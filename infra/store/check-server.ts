// Checks whether LOGEYE_STORE_URL is a store that this product can use, once at the start, before
// anything is changed. One that is away is no reason not to start: events wait for it in the event
// log.
import { Failure, isFailure } from '../../schemas/failures.ts'
import { systemTable } from '../../schemas/store/cluster.ts'
import { clickHouseCode } from './errors.ts'
import { openStore } from './open.ts'
import type { Store } from './port.ts'
import { ANY_SERVERS } from './server-settings.ts'

/** The version of the embedded engine, on which every test has run. */
const OLDEST_VERSION = [26, 7] as const
const WITHIN_MS = 3000
/** What a build of the server could lack. */
const NEEDED_SETTINGS = [
  'enable_materialized_cte',
  'use_skip_indexes_for_disjunctions',
  'allow_reorder_prewhere_conditions',
  'max_threads_min_free_memory_per_thread',
] as const
const NEEDED_FUNCTIONS = ['mergeTreeTextIndex'] as const
const NEEDED_MACROS = ['shard', 'replica'] as const

const REASONS: Readonly<Record<number, string>> = {
  81: 'it has no database of this name',
  115: 'it does not know a setting that is needed: it is too old, or not ClickHouse',
  139: 'its configuration lacks a macro, or Keeper',
  164: "the user's profile lets no setting be changed",
  192: 'it does not know the user',
  193: 'user or password is wrong',
  194: 'it asks for a password',
  452: "the user's profile does not allow a setting that is needed",
  516: 'user or password is wrong',
  701: 'it does not know the cluster',
}

const DENIED = 497

/** False when it does not answer yet. Fails with start.refused. */
export async function checkStore(url: string, clusterName?: string): Promise<boolean> {
  const store = await openStore({
    url,
    isServer: true,
    ...(clusterName === undefined ? {} : { clusterName }),
  })
  try {
    const reason = (await findReason(store)) ?? (await findClusterReason(store))
    if (reason !== undefined) throw refused(url, reason)
    return true
  } catch (error) {
    const said = toStartFailure(error, url)
    // Slow, full or starting: that says nothing about which server it is.
    if (isFailure(said) && said.code !== 'start.refused') return false
    throw said
  } finally {
    await store.close()
  }
}

/** What a start says of an error of the store; what time may cure stays as it is. */
export function toStartFailure(error: unknown, url: string): unknown {
  if (!isFailure(error) || error.code === 'start.refused') return error
  const reason = describeCode(error.cause) ?? describeRoad(error)
  return reason === undefined ? error : refused(url, reason, error.cause)
}

/** Host and port alone: user and password stand in the address, too. */
function refused(url: string, reason: string, cause?: unknown): Failure {
  const text = `the store at ${new URL(url).host} cannot be used: ${reason}`
  return new Failure('start.refused', { reason: text }, cause)
}

async function findReason(store: Store): Promise<string | undefined> {
  const [facts] = await store.query<{ version: string; settings: string[]; functions: string[] }>({
    sql: `SELECT version() AS version,
      (SELECT groupArray(name) FROM system.settings WHERE name IN {settings:Array(String)}) AS settings,
      (SELECT groupArray(name) FROM system.table_functions WHERE name IN {functions:Array(String)}) AS functions`,
    params: { settings: NEEDED_SETTINGS, functions: NEEDED_FUNCTIONS },
    timeoutMs: WITHIN_MS,
  })
  if (facts === undefined) return 'it gives no answer'
  if (isOlder(facts.version)) return tooOld(facts.version)
  const has = new Set([...facts.settings, ...facts.functions])
  const lacking = [...NEEDED_SETTINGS, ...NEEDED_FUNCTIONS].filter((name) => !has.has(name))
  return lacking.length === 0 ? undefined : `it lacks ${lacking.join(', ')}`
}

async function findClusterReason(store: Store): Promise<string | undefined> {
  const { cluster } = store
  if (cluster === undefined) return undefined
  const [known] = await store.query<{ replicas: string; plain: string }>({
    sql: 'SELECT count() AS replicas, countIf(internal_replication = 0) AS plain FROM system.clusters WHERE cluster = {cluster:String}',
    params: { cluster: cluster.name },
    timeoutMs: WITHIN_MS,
  })
  if (Number(known?.replicas ?? 0) === 0) return `it knows no cluster ${cluster.name}`
  if (Number(known?.plain) > 0)
    return `the shards of cluster ${cluster.name} must have internal_replication, or rows are doubled`
  const servers = await store.query<{ host: string; version: string; macros: string[] }>({
    sql: `SELECT hostName() AS host, any(version()) AS version, groupArray(macro) AS macros FROM ${systemTable('macros', cluster)} GROUP BY host`,
    settings: ANY_SERVERS,
    timeoutMs: WITHIN_MS,
  })
  if (servers.length === 0) return describeMacros('its servers', NEEDED_MACROS)
  for (const { host, version, macros } of servers) {
    if (isOlder(version)) return `${host}: ${tooOld(version)}`
    const lacking = NEEDED_MACROS.filter((name) => !macros.includes(name))
    if (lacking.length > 0) return describeMacros(host, lacking)
  }
  return undefined
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < OLDEST_VERSION[0] || (major === OLDEST_VERSION[0] && minor < OLDEST_VERSION[1])
}

function tooOld(version: string): string {
  const shown = /^[\w.-]{1,40}$/.test(version) ? version : 'of an unknown version'
  return `it is ClickHouse ${shown}, ${OLDEST_VERSION.join('.')} is the oldest version that works`
}

function describeMacros(host: string, names: readonly string[]): string {
  return `${host} has no macro ${names.map((name) => `{${name}}`).join(' and ')}`
}

function describeCode(cause: unknown): string | undefined {
  const code = clickHouseCode(cause)
  if (code === undefined) return undefined
  return code === DENIED ? `the user lacks ${lackingRight(cause)}` : REASONS[code]
}

/** Shows nothing of the engine's text but the names of rights and tables. */
function lackingRight(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : ''
  const right =
    /the grant ([A-Z][A-Z ]*?(?:\([\w ,`]{1,200}\))? ON [\w*`]{1,60}(?:\.[\w*`]{1,60})?)/.exec(
      text,
    )?.[1]
  return right === undefined ? 'rights' : `the right ${right}`
}

function describeRoad({ code, cause }: Failure): string | undefined {
  if (clickHouseCode(cause) !== undefined) return undefined
  const system = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (/CERT|SIGNATURE|SELF_SIGNED|ALTNAME/.test(system))
    return `its certificate is not accepted (${system}): see NODE_EXTRA_CA_CERTS`
  if (/SSL|EPROTO/.test(system)) return 'TLS is not spoken there'
  return code === 'store.failed'
    ? 'the program that answers there is not a ClickHouse server'
    : undefined
}
