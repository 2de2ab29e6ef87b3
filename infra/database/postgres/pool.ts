// Pools of connections with bounds: of their number, of the wait for one, of every statement on
// both sides of the wire.
import { type CustomTypesConfig, Pool, types } from 'pg'
import { Failure } from '../../../schemas/failures.ts'
import type { PostgresAddress } from './address.ts'

export const CONNECT_WITHIN_MS = 5000
const IDLE_MS = 60_000
/** So a name that was moved to another server is followed, also when the old one still answers. */
const LIFETIME_SECONDS = 60
/** What stops in the middle of a write, such as a paused process, holds the lock no longer. Shorter
 *  than the wait for the lock. */
const IDLE_IN_TRANSACTION_MS = 4000
const LOCK_WITHIN_MS = 6000
const STATEMENT_WITHIN_MS = 10_000
/** A server that does not answer any more is given up this much later than its own limit. */
const ANSWER_LATER_MS = 2000
const KEEP_ALIVE_AFTER_MS = 10_000

const INT8 = 20

/** bigint arrives as text by default; ours are ids, sizes and epoch milliseconds, which a number
 *  holds. */
const NUMBERS: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 ? parseBigint : types.getTypeParser(oid, format)),
}

export function openPool(address: PostgresAddress, kind: 'read' | 'write', max: number): Pool {
  const { host, port, database, user, password } = address
  const pool = new Pool({
    host,
    port,
    database,
    user,
    ...(password === undefined ? {} : { password }),
    ssl: sslOf(address),
    max,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    query_timeout: STATEMENT_WITHIN_MS + ANSWER_LATER_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'logeye',
    types: NUMBERS,
    onConnect: async (client) => {
      await client.query(printSession(kind, address.schema))
    },
  })
  // The next statement tells; without a listener a cut connection would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function printSession(kind: 'read' | 'write', schema: string | undefined): string {
  const settings: Record<string, string> = {
    default_transaction_read_only: kind === 'read' ? 'on' : 'off',
    statement_timeout: `${STATEMENT_WITHIN_MS}`,
    lock_timeout: `${LOCK_WITHIN_MS}`,
    idle_in_transaction_session_timeout: `${IDLE_IN_TRANSACTION_MS}`,
    // A client whose machine has died is noticed within half a minute, not in two hours.
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_keepalives_count: '4',
  }
  const lines = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`)
  if (schema !== undefined) lines.push(`set search_path = "${schema.replaceAll('"', '""')}"`)
  // An acknowledged commit is durable, whatever the server's default is; stronger promises stay.
  lines.push(
    `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`,
  )
  return lines.join('; ')
}

function sslOf({ sslMode, tls }: PostgresAddress) {
  switch (sslMode) {
    case 'disable':
      return false
    case 'require':
      return { ...tls, rejectUnauthorized: tls.ca !== undefined, checkServerIdentity: anyName }
    case 'verify-ca':
      return { ...tls, rejectUnauthorized: true, checkServerIdentity: anyName }
    case 'verify-full':
      return { ...tls, rejectUnauthorized: true }
  }
}

function anyName(): undefined {
  return undefined
}

function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Failure('database.damaged')
  return value
}
