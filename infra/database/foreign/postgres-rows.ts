// Rows of somebody else's PostgreSQL, by a query with a mark: those behind it, in its order, as
// texts, in a transaction that cannot write (docs/decisions/0124).
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Client, type FieldDef } from 'pg'
import { joinSignals } from '../../join-signals.ts'
import { describeConnection } from '../../outbound/describe-connection.ts'
import { findAddress } from '../../outbound/find-address.ts'
import { RemoteFault } from '../../outbound/remote-fault.ts'
import { CheckedConnection } from './checked-connection.ts'
import { printCutQuery } from './cut-rows.ts'
import { putMark } from './mark-parameter.ts'

const CONNECT_MS = 20_000
/** Of one statement: the first row of a large table may be sorted first. */
const STATEMENT_MS = 10 * 60_000
/** At a time: few first, since nobody knows how large they are, and never more than fit into
 *  memory where each is of 1 MiB. */
const FIRST_ROWS = 10
const MOST_ROWS = 100
const FETCHED_LENGTH = 1024 * 1024
const END_MS = 2000
const MAX_MESSAGE = 300

/** How values are written; numbers with all their digits, which the next run compares with. */
const OPTIONS = [
  ...['datestyle=ISO', 'timezone=UTC', 'bytea_output=hex', 'intervalstyle=iso_8601'],
  'extra_float_digits=3',
  // As the mark is looked for in the query.
  'standard_conforming_strings=on',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

export type PostgresTarget = {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly userName: string
  readonly password: string
  readonly isTls: boolean
  /** PEM, trusted beside the usual ones; '' for none. */
  readonly certificate: string
}

export type ForeignQuery = {
  readonly query: string
  readonly markColumn: string
  /** Only rows with a larger one. */
  readonly after: string
}

export type ForeignRow = {
  /** As PostgreSQL writes them, times in UTC; null for NULL. */
  readonly values: readonly (readonly [name: string, value: string | null])[]
  /** Its mark is that of the row before, which may be written in another way: `1.0`, `1.00`. */
  readonly hasSameMark: boolean
  /** Of a row above MAX_ROW_BYTES: cells that come cut, with the bytes of their whole text. */
  readonly cut: readonly { readonly name: string; readonly bytes: number }[]
}

/** Rows in the order of the mark, in pieces. Fails with RemoteFault. */
export async function* readForeignRows(
  target: PostgresTarget,
  { query, markColumn, after }: ForeignQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly ForeignRow[]> {
  const { client, end } = await connect(target, signal)
  try {
    await client.query('BEGIN READ ONLY')
    const text = query.trim().replace(/;\s*$/, '')
    const inner = putMark(text, '$1')
    const usesMark = inner !== text
    // With a value: the server takes one statement then, and no second one behind it.
    const { fields } = await client.query({
      text: `SELECT * FROM (${inner}\n) AS marked_rows LIMIT ${usesMark ? '$2' : '$1'}`,
      values: usesMark ? [after, 0] : [0],
    })
    const select = printCutQuery({ inner, fields, markColumn, after: usesMark ? '$2' : '$1' })
    await client.query(
      `DECLARE marked NO SCROLL CURSOR FOR ${select}`,
      usesMark ? [after, after] : [after],
    )
    const names = uniqueNames(fields)
    for (let count = FIRST_ROWS; ; ) {
      const { rows } = await client.query<(string | null)[]>({
        text: `FETCH ${count} FROM marked`,
        rowMode: 'array',
      })
      if (rows.length === 0) return
      count = nextCount(count, rows)
      yield rows.map((row) => toForeignRow(names, row))
    }
  } catch (error) {
    throw describe(target, error, signal)
  } finally {
    await end()
  }
}

/** They are all in memory at once. */
export function nextCount(count: number, rows: readonly (readonly (string | null)[])[]): number {
  let length = 0
  for (const row of rows) for (const value of row) length += value?.length ?? 0
  return length < FETCHED_LENGTH ? Math.min(MOST_ROWS, count * 2) : Math.max(1, count >> 1)
}

/** Signs in, and gives the version. Fails with RemoteFault. */
export async function tryForeignDatabase(
  target: PostgresTarget,
  signal: AbortSignal,
): Promise<string> {
  const { client, end } = await connect(target, signal)
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
    return rows[0]?.server_version ?? ''
  } catch (error) {
    throw describe(target, error, signal)
  } finally {
    await end()
  }
}

type Connected = { readonly client: Client; readonly end: () => Promise<void> }

/** Cut off by the signal until its end. Fails with RemoteFault. */
async function connect(target: PostgresTarget, signal: AbortSignal): Promise<Connected> {
  const { host, port, database, userName, password, isTls, certificate } = target
  const { signal: late, leave } = joinSignals([signal, AbortSignal.timeout(CONNECT_MS)])
  const ssl = isTls ? tlsOf(host, certificate) : false
  const connection = new CheckedConnection({ ssl, keepAlive: true })
  const cut = () => void connection.stream.destroy()
  try {
    const { address } = await findAddress(host, late)
    const client = new Client({
      ...{ host: address, port, database, user: userName, password, ssl, connection },
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: STATEMENT_MS,
      query_timeout: STATEMENT_MS + CONNECT_MS,
      application_name: 'logeye',
      options: OPTIONS,
      types: { getTypeParser: () => (value: string | Buffer) => String(value) },
    })
    // The statement tells.
    client.on('error', () => undefined)
    signal.addEventListener('abort', cut, { once: true })
    await client.connect()
    return { client, end: () => endClient(client, cut).finally(leaveSignal) }
  } catch (error) {
    leaveSignal()
    cut()
    throw describe(target, error, late)
  } finally {
    leave()
  }
  function leaveSignal(): void {
    signal.removeEventListener('abort', cut)
  }
}

/** Cuts off a server that does not close its end. */
async function endClient(client: Client, cut: () => void): Promise<void> {
  const timer = setTimeout(cut, END_MS)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}

function tlsOf(host: string, certificate: string) {
  return {
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(certificate === '' ? {} : { ca: [...rootCertificates, certificate] }),
  }
}

/** A name that comes twice gets `_1`, `_2`, …. */
function uniqueNames(fields: readonly FieldDef[]): readonly string[] {
  const names = new Set<string>()
  for (const { name } of fields) {
    let free = name
    for (let number = 1; names.has(free); number += 1) free = `${name}_${number}`
    names.add(free)
  }
  return [...names]
}

/** Of what printCutQuery asks. */
function toForeignRow(names: readonly string[], row: readonly (string | null)[]): ForeignRow {
  const sizes = row.at(-1)?.slice(1, -1).split(',') ?? []
  return {
    values: names.map((name, at) => [name, row[at] ?? null] as const),
    hasSameMark: row.at(-2) === 't',
    cut: names.flatMap((name, at) => {
      const bytes = Number(sizes[at])
      return bytes > 0 ? [{ name, bytes }] : []
    }),
  }
}

function describe({ host, port, userName }: PostgresTarget, error: unknown, signal: AbortSignal) {
  if (error instanceof RemoteFault) return error
  const at = `${host}:${port}`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  // What PostgreSQL says of a query is for the one who wrote it; it quotes no rows here.
  const said =
    error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, MAX_MESSAGE) : ''
  if (code === '28P01' || code === '28000')
    return new RemoteFault(
      `${at} refuses the user ${userName} and the password: give them with addDatabaseAccount -update true`,
    )
  if (code === '3D000') return new RemoteFault(`${at} has no such database`)
  if (code === '42501')
    return new RemoteFault(`the user ${userName} may not read what the query names: ${said}`)
  if (code === '57014')
    return new RemoteFault('the query took too long: an index on the mark helps')
  if (code === '25006') return new RemoteFault('the query writes, and only reading is allowed')
  if (code.startsWith('22'))
    return new RemoteFault(`a value does not fit its type, such as the mark: SQL state ${code}`)
  if (/^[0-9A-Z]{5}$/.test(code) && code.startsWith('42'))
    return new RemoteFault(`the query is refused: ${said}`)
  if (/^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code))
    return new RemoteFault(`${at} failed with the SQL state ${code}`)
  if (/does not support SSL/.test(said))
    return new RemoteFault(`${at} does not speak TLS: mend that, or give -tls false`)
  if (/terminated|timeout/i.test(said)) return new RemoteFault(`${at}: the connection was cut off`)
  return new RemoteFault(`${at}: ${describeConnection(error, signal)}`)
}
