// From an HTTP request to what it asks: the statement with its parameters bound, settings, query
// id, and rows that follow.
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { parseSent, SENT_HEADER, type Sent } from '../../sent-header.ts'
import { fingerprintOf } from '../crash-journal.ts'
import { EngineError } from '../engine-error.ts'
import { bindParameters, parsePlaceholder } from './bind-parameters.ts'
import { parseMultipart } from './multipart.ts'
import { readSettings } from './settings.ts'
import { tokenizeSql } from './sql-tokens.ts'
import { endOfDataInsert, parseStatement, type Settings, type Statement } from './statement.ts'

/** For statements, and for inserts with statement and rows in one body; rows alone stream. */
const PACKING = 'zstd'
const MAX_BODY_BYTES = 64 * 1024 * 1024

export type StoreRequest = {
  readonly queryId: string | undefined
  /** When our client sent it; absent from others. */
  readonly sent: Sent | undefined
  readonly statement: Statement
  readonly settings: Settings
  readonly fingerprint: string
  /** The rows of a data insert. */
  readonly rows: {
    readonly body: Readable
    readonly bytes: number | undefined
    /** By zstd. */
    readonly isPacked: boolean
  }
  /** The client asks for an answer that is packed by zstd. */
  readonly wantsPacked: boolean
}

export async function readRequest(request: IncomingMessage, url: URL): Promise<StoreRequest> {
  const header = request.headers[SENT_HEADER]
  const sent = typeof header === 'string' ? parseSent(header) : undefined
  const wantsPacked =
    request.headers['accept-encoding'] === PACKING &&
    url.searchParams.get('enable_http_compression') === '1'
  return { ...(await readFields(request, url)), sent, wantsPacked }
}

async function readFields(
  request: IncomingMessage,
  url: URL,
): Promise<Omit<StoreRequest, 'sent' | 'wantsPacked'>> {
  const address = new Map(url.searchParams)
  if ((address.get('database') ?? 'default') !== 'default')
    throw new EngineError(81, 'There is only the database default', 'UNKNOWN_DATABASE')
  const refused = ['session_id', 'role', 'compress', 'decompress'].find((name) => address.has(name))
  const asked = address.get('query') ?? ''
  const isData = endOfDataInsert(asked) !== -1
  const encoding = request.headers['content-encoding']
  const isPacked = isData && encoding === PACKING
  if (refused !== undefined || (encoding !== undefined && !isPacked))
    throw new EngineError(
      48,
      'Sessions, roles and compression are not supported',
      'NOT_IMPLEMENTED',
    )
  const contentType = request.headers['content-type'] ?? ''

  if (isData) {
    const bytes = Number(request.headers['content-length'] ?? Number.NaN)
    const rows = { body: request, bytes: Number.isNaN(bytes) ? undefined : bytes, isPacked }
    return { ...understand(asked, address), rows }
  }
  const body = await readBody(request)
  if (contentType.startsWith('multipart/form-data')) {
    const parts = parseMultipart(body, contentType)
    return {
      ...understand(parts.get('query') ?? asked, new Map([...address, ...parts])),
      rows: NONE,
    }
  }
  const head = body.subarray(0, 16_384).toString('latin1')
  const end = asked === '' ? endOfDataInsert(head) : -1
  if (end === -1) {
    const text = [asked, body.toString('utf8')].filter((part) => part !== '').join('\n')
    return { ...understand(text, address), rows: NONE }
  }
  const rows = {
    body: Readable.from([body.subarray(end)]),
    bytes: body.length - end,
    isPacked: false,
  }
  return { ...understand(body.toString('utf8', 0, end), address), rows }
}

const NONE = { body: Readable.from([]), bytes: 0, isPacked: false }

function understand(
  text: string,
  fields: ReadonlyMap<string, string>,
): Omit<StoreRequest, 'rows' | 'sent' | 'wantsPacked'> {
  const params = new Map<string, string>()
  const settings = new Map<string, string>()
  for (const [name, value] of fields) {
    if (name.startsWith('param_')) params.set(name.slice('param_'.length), value)
    else settings.set(name, value)
  }
  const tokens = tokenizeSql(text)
  const textParams = tokens
    .filter((token) => token.kind === 'placeholder')
    .map(parsePlaceholder)
    .filter(({ type }) => type.includes('String'))
    .map(({ name }) => params.get(name) ?? '')
  return {
    queryId: fields.get('query_id') || undefined,
    statement: parseStatement(bindParameters(text, tokens, params)),
    settings: readSettings(settings),
    fingerprint: fingerprintOf(text, textParams),
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES)
      throw new EngineError(62, 'The statement is too large', 'SYNTAX_ERROR')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
