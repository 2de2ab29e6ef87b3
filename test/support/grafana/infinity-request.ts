// Requests of Grafana's data source Infinity, made as its source does (grafana/
// grafana-infinity-datasource 3.11.1, commit 683f8833: pkg/infinity/request.go, headers.go), and
// what its backend parser reads of an answer (jsonBackend.go, csvBackend.go). Written anew from
// there; nothing of ours is imported.
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { z } from 'zod'

const pair = z.object({ key: z.string(), value: z.string() })

export const infinityTarget = z.object({
  refId: z.string(),
  datasource: z.object({ type: z.string(), uid: z.string() }),
  type: z.enum(['json', 'csv', 'xml']),
  source: z.literal('url'),
  parser: z.literal('backend'),
  format: z.enum(['table', 'timeseries', 'logs']),
  url: z.string(),
  url_options: z.object({
    method: z.enum(['GET', 'POST']),
    data: z.string(),
    body_type: z.string().optional(),
    body_content_type: z.string().optional(),
    headers: z.array(pair).optional(),
    params: z.array(pair),
  }),
  root_selector: z.string(),
  columns: z.array(
    z.object({
      selector: z.string(),
      text: z.string(),
      type: z.enum(['string', 'number', 'timestamp']),
    }),
  ),
})
export type InfinityTarget = z.infer<typeof infinityTarget>

/** ApplyAcceptHeader. */
const ACCEPT = {
  json: 'application/json;q=0.9,text/plain',
  csv: 'text/csv; charset=utf-8',
  xml: 'text/xml;q=0.9,text/plain',
}

export type Asking = {
  readonly baseUrl: string
  readonly bearerToken: string
  /** Milliseconds; `__from` and `__to` of the dashboard. */
  readonly fromMs: number
  readonly toMs: number
  readonly variables: Readonly<Record<string, string>>
  /** Of an alert: times are put in by the plug-in itself, and variables by nobody. */
  readonly isAlert?: boolean
}

export function makeInfinityRequest(target: InfinityTarget, asking: Asking): Request {
  const { method, params, data, body_type, body_content_type } = target.url_options
  const url = new URL(asking.baseUrl + target.url)
  // url.Values.Encode sorts by key and writes a blank as +, as URLSearchParams does.
  for (const { key, value } of params) url.searchParams.append(key, interpolate(value, asking))
  url.searchParams.sort()
  const headers = new Headers({ accept: ACCEPT[target.type], 'accept-encoding': 'gzip' })
  if (method === 'POST')
    headers.set(
      'content-type',
      body_type === 'raw' ? (body_content_type ?? 'text/plain') : 'application/json',
    )
  for (const { key, value } of target.url_options.headers ?? [])
    if (!/^(?:authorization|cookie)$/i.test(key)) headers.append(key, value)
  headers.set('authorization', `Bearer ${asking.bearerToken}`)
  headers.set('user-agent', 'Go-http-client/1.1')
  const body = method === 'POST' ? interpolate(data, asking) : undefined
  return new Request(url, { method, headers, ...(body === undefined ? {} : { body }) })
}

/** Variables and times, as Grafana puts them into a text, or the plug-in (infinity-libs,
 *  lib/go/macros/time_macros.go), whose times lose the zeros of their fractions. */
function interpolate(text: string, { fromMs, toMs, variables, isAlert }: Asking): string {
  const time = (ms: number) => {
    const iso = new Date(ms).toISOString()
    return isAlert ? iso.replace(/\.?0+Z$/, 'Z') : iso
  }
  const timed = text
    .replaceAll('$' + '{__from:date:iso}', time(fromMs))
    .replaceAll('$' + '{__to:date:iso}', time(toMs))
  if (isAlert) return timed.trim()
  return timed.replaceAll(/\$\{(\w+):raw\}/g, (_, name: string) => variables[name] ?? '')
}

/** The columns of a frame by their names, as numbers, texts and milliseconds. */
export async function readFrame(
  target: InfinityTarget,
  answer: Response,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isPacked = answer.headers.get('content-encoding') === 'gzip'
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8')
  if (target.type === 'csv') {
    // csvframer: nothing at all is a failure.
    if (text.trim() === '') throw new Error('empty csv')
    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true })
    return frameOf(target, rows)
  }
  const root: unknown = target.root_selector
    .split('.')
    .reduce<unknown>((at, step) => Object(at)[step], JSON.parse(text))
  // jsonframer: as is a root that is not there.
  if (root === undefined) throw new Error(`invalid root selector ${target.root_selector}`)
  return frameOf(target, Array.isArray(root) ? root : [root])
}

function frameOf({ columns }: InfinityTarget, rows: readonly unknown[]) {
  const cells = (selector: string, type: string) =>
    rows.map((row) => typed(Object(row)[selector], type))
  return Object.fromEntries(
    columns.map(({ selector, text, type }) => [text, cells(selector, type)]),
  )
}

function typed(value: unknown, type: string): unknown {
  if (value === undefined) return undefined
  if (type === 'timestamp') return Date.parse(String(value))
  return type === 'number' ? Number(value) : String(value)
}
