// Checks whether a server can hold the data of this product, before anything is changed, and says
// what is wrong in one clear failure.
import { type QueryExecutorProvider, sql } from 'kysely'
import { Failure, isFailure } from '../../../schemas/failures.ts'
import type { Logger } from '../../logger.ts'
import type { PostgresAddress } from './address.ts'
import { sqlState } from './failure.ts'
import { CONNECT_WITHIN_MS } from './pool.ts'

/** The oldest that the tests have seen is 15; 13 is the oldest that its makers supported when this
 *  was written. */
const OLDEST_VERSION = 130_000

export type Facts = {
  readonly version: string
  readonly version_number: number
  readonly is_standby: boolean
  readonly encoding: string
  readonly schema: string | null
  readonly may_create: boolean | null
  readonly fsync: string
}

/** Fails with database.refused. */
export async function checkServer(
  db: QueryExecutorProvider,
  address: PostgresAddress,
  logger: Logger | undefined,
): Promise<void> {
  const { rows } = await sql<Facts>`select current_setting('server_version') as version,
    current_setting('server_version_num')::int as version_number,
    pg_is_in_recovery() as is_standby,
    current_setting('server_encoding') as encoding,
    current_schema() as schema,
    has_schema_privilege(current_schema(), 'CREATE') as may_create,
    current_setting('fsync') as fsync`.execute(db)
  const reason = rows[0] === undefined ? 'it gives no answer' : findReason(rows[0], address)
  if (reason !== undefined)
    throw new Failure('database.refused', { server: nameOf(address), reason })
  if (rows[0]?.fsync === 'off') logger?.warn('database does not keep its commits over a power cut')
}

/** What a start says of an error on the way to the server. */
export function toStartFailure(error: unknown, address: PostgresAddress): unknown {
  if (!isFailure(error)) return error
  const details = { server: nameOf(address) }
  const refusal = describeState(sqlState(error.cause), address)
  if (refusal !== undefined)
    return new Failure('database.refused', { ...details, reason: refusal }, error.cause)
  if (error.code !== 'database.unavailable') return error
  const reason = describeRoad(error.cause, address)
  return new Failure('database.unreachable', { ...details, reason }, error.cause)
}

/** Server and database; no user, no password. */
function nameOf({ host, port, database }: PostgresAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`
}

export function findReason(facts: Facts, { schema }: PostgresAddress): string | undefined {
  if (facts.version_number < OLDEST_VERSION)
    return `it is PostgreSQL ${facts.version}, 13 is the oldest version that works`
  if (facts.is_standby) return 'it is a standby, which cannot be written to'
  if (facts.encoding !== 'UTF8') return `its encoding is ${facts.encoding}, it must be UTF8`
  if (facts.schema === null)
    return `the user may use no schema${schema === undefined ? ' of its search path' : ` ${schema}`}`
  if (facts.may_create !== true) return `the user may not make tables in the schema ${facts.schema}`
  return undefined
}

function describeState(state: string | undefined, address: PostgresAddress): string | undefined {
  switch (state) {
    case '28P01':
      return 'user or password is wrong'
    case '28000':
      return `its pg_hba.conf does not let this user in from here${address.sslMode === 'disable' ? ' without TLS (sslmode)' : ''}, or the user does not exist`
    case '3D000':
      return 'there is no database of this name'
    case '42501':
      return 'the user lacks rights: it must own the tables and may make new ones'
    case '0A000':
    case '42601':
    case '42704':
      return 'it does not understand what PostgreSQL 13 does'
    default:
      return undefined
  }
}

function describeRoad(cause: unknown, { host, password, sslMode }: PostgresAddress): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return 'nothing listens there'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name ${host} is not known`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'this host cannot be reached'
    case '57P03':
      return 'it is still starting'
    case '53300':
      return 'it has no connection left'
    case '55P03':
      return 'others have been writing for too long'
    default:
  }
  if (/CERT|SIGNATURE|SELF_SIGNED|ALTNAME/.test(code))
    return `its certificate is not accepted (${code}): see sslmode and sslrootcert`
  if (code !== '') return code
  const guesses = [
    `no answer within ${CONNECT_WITHIN_MS / 1000} s`,
    ...(sslMode === 'disable' ? [] : [`no TLS there (sslmode=${sslMode})`]),
    ...(password === undefined ? ['it asks for a password, and the address has none'] : []),
  ]
  return guesses.join(', or ')
}
