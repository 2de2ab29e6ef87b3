// A client of a running product, as a user's script would be: HTTP only.
import { randomBytes } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { waitUntil } from '../run/wait-until.ts'

export type Fields = Readonly<Record<string, string | number>>
export type User = { readonly name: string; readonly password: string }

export type SearchAnswer = {
  readonly httpStatus: number
  readonly document: string
  readonly state: string
  readonly token: string
  readonly numberOfResults: number
  /** '' when there is none. */
  readonly message: string
  readonly code: number
  /** Rows of either format by column name; a missing cell is ''. */
  readonly rows: readonly Readonly<Record<string, string>>[]
  readonly columns: readonly string[]
}

function environment(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

export const productUrl = () => environment('LOGEYE_TEST_URL').replace(/\/+$/, '')
export const admin = (): User => ({
  name: 'admin',
  password: environment('LOGEYE_TEST_ADMIN_PASSWORD'),
})

/** A word that no other test uses. */
export const makeWord = (prefix = 'w') => `${prefix}${randomBytes(8).toString('hex')}x`

export async function sendEvents(
  events: unknown,
  options: { token?: string; hostName?: string } = {},
): Promise<void> {
  const address = new URL(`${productUrl()}/logeye/api/logger.jsp`)
  address.searchParams.set('token', options.token ?? environment('LOGEYE_TEST_TOKEN'))
  if (options.hostName !== undefined) address.searchParams.set('hostName', options.hostName)
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body:
      typeof events === 'string' || events instanceof Uint8Array ? events : JSON.stringify(events),
  })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`ingest answered ${answer.status} ${text}`)
}

/** The call as a script writes it: everything in the address. `user` null: no credentials. */
export function callSearch(
  fields: Fields | URLSearchParams,
  options: { user?: User | null; method?: 'GET' | 'POST'; signal?: AbortSignal } = {},
): Promise<Response> {
  const parameters =
    fields instanceof URLSearchParams ? new URLSearchParams(fields) : new URLSearchParams()
  if (!(fields instanceof URLSearchParams)) {
    parameters.set('widgetId', 'searchAPI')
    for (const [name, value] of Object.entries(fields)) parameters.set(name, String(value))
  }
  const user = options.user === undefined ? admin() : options.user
  if (user !== null) {
    parameters.set('autoLogin', 'true')
    parameters.set('username', user.name)
    parameters.set('password', user.password)
  }
  const path = `${productUrl()}/logeye/view/api/widgetAPI.jsp`
  const signal = options.signal ?? null
  return options.method === 'POST'
    ? fetch(path, { method: 'POST', body: parameters, signal })
    : fetch(`${path}?${parameters}`, { signal })
}

export async function search(
  fields: Fields,
  options: { user?: User | null; method?: 'GET' | 'POST' } = {},
): Promise<SearchAnswer> {
  const answer = await callSearch(fields, options)
  return readAnswer(answer.status, await answer.text(), fields.resultFormat === 'csv')
}

const reader = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  textNodeName: 'text',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  htmlEntities: true,
  isArray: (name) => name === 'Row' || name === 'Cell',
})

export function readAnswer(httpStatus: number, document: string, isCsv: boolean): SearchAnswer {
  const { APIResult } = reader.parse(document)
  const { Status, Data } = APIResult
  const message = Status.Message
  const records: Record<string, string>[] = []
  let columns: string[] = []
  if (Status.state === 'OK' && isCsv) {
    const lines: string[][] = parse(Data, { recordDelimiter: '\n' })
    columns = lines[0] ?? []
    for (const line of lines.slice(1))
      records.push(Object.fromEntries(columns.map((name, index) => [name, line[index] ?? ''])))
  } else if (Status.state === 'OK') {
    for (const { Cell } of Data?.Row ?? []) {
      const cells: [string, string][] = Cell.map((cell: { name: string; text?: string }) => [
        cell.name,
        cell.text ?? '',
      ])
      columns = cells.map(([name]) => name)
      records.push(Object.fromEntries(cells))
    }
  }
  return {
    httpStatus,
    document,
    state: Status.state,
    token: Status.token,
    numberOfResults: Number(Status.numberOfResults),
    message: message?.text ?? '',
    code: Number(message?.code ?? 0),
    rows: records,
    columns,
  }
}

/** Repeats the search until it gives `count` rows. */
export async function searchUntil(
  count: number,
  fields: Fields,
  options: { user?: User } = {},
): Promise<SearchAnswer> {
  let last: SearchAnswer | undefined
  return await waitUntil(
    `the search gives ${count} rows`,
    async () => {
      last = await search({ fixedInterval: 'allData', ...fields }, options)
      return last.state === 'OK' && last.numberOfResults === count && last
    },
    () => `${last?.numberOfResults} of ${count} found: ${last?.document.slice(0, 500)}`,
  )
}

const envelopeSchema = z.object({
  success: z.boolean(),
  errorMessage: z.string().nullable(),
  response: z.record(z.string(), z.unknown()).nullable(),
})

/** A command of the private SDK channel; its `response`. */
export async function sdk(
  command: string,
  given: Readonly<Record<string, string>>,
  user: User = admin(),
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${productUrl()}/logeye/sdk/${command}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`,
    },
    body: JSON.stringify(given),
  })
  const body = envelopeSchema.parse(await answer.json())
  if (body.success !== true) throw new Error(`${command}: ${answer.status} ${body.errorMessage}`)
  return body.response ?? {}
}
