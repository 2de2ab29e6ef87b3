// A portal for a test: its app on a database of its own, called without a socket. Every answer is
// compared with what the document says of it.
import { afterAll, expect } from 'vitest'
import { z } from 'zod'
import type { Clock } from '../../../infra/clock.ts'
import type { Route } from '../../../infra/http/routes/route.ts'
import { openMailer } from '../../../infra/mail/open-mailer.ts'
import { openObjects } from '../../../infra/objects/open.ts'
import type { ObjectStore } from '../../../infra/objects/port.ts'
import { initPortal } from '../../../portal/accounts/init-portal.ts'
import { makePortalApp, type PortalApp } from '../../../portal/app.ts'
import { openPortalDatabase, type PortalDatabase } from '../../../portal/database/open.ts'
import { makeDatabasePlace } from '../database/database-place.ts'
import { silentLogger } from '../database/query-database.ts'
import { testClock } from '../run/test-clock.ts'

export const PUBLIC_URL = 'http://portal.test'
const BASE = '/api/portal/v1'

export type Asked = {
  readonly method?: string
  /** Below /api/portal/v1, or from /api on. */
  readonly path: string
  readonly as?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly address?: string
}

export type Answered = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads of an answer, it checks.
  readonly body: any
}

export type TestPortal = {
  readonly database: PortalDatabase
  readonly app: PortalApp
  readonly objects: ObjectStore
  readonly operator: string
  /** For bare-portal-process.ts. */
  readonly processArguments: readonly string[]
  /** Of the portal's own files. */
  readonly folder: string
  ask(asked: Asked): Promise<Answered>
  /** A further process on the same database. */
  another(): Promise<TestPortal>
}

/** Removed after the tests of the file. */
export async function makeTestPortal(
  options: {
    readonly clock?: Clock
    readonly mailUrl?: string
    readonly objectsUrl?: string
    readonly webhooks?: Parameters<typeof makePortalApp>[0]['webhooks']
  } = {},
): Promise<TestPortal> {
  const { clock = testClock, mailUrl, objectsUrl, webhooks } = options
  const place = await makeDatabasePlace()
  const opened: (() => Promise<void>)[] = []
  const folder = place.dataDir
  const open = async (operator?: string): Promise<TestPortal> => {
    const { url } = place
    const database = await openPortalDatabase({ url, folder, clock })
    const mailer =
      mailUrl === undefined ? undefined : openMailer({ url: mailUrl, from: 'p@x.test' })
    const objects = await openObjects({ url: objectsUrl, folder: `${folder}/objects`, clock })
    const app = await makePortalApp({
      objects,
      mailer,
      ...(webhooks === undefined ? {} : { webhooks }),
      ...{ database, clock, folder },
      ...{ logger: silentLogger, publicUrl: PUBLIC_URL, version: '1' },
    })
    opened.push(async () => {
      await app.close()
      await database.close()
    })
    const token = operator ?? (await makeOperator(database, clock))
    return {
      ...{ database, app, objects, folder, operator: token },
      processArguments: [folder, url ?? ''],
      ask: (asked) => ask(app, asked),
      another: () => open(token),
    }
  }
  afterAll(async () => {
    for (const close of opened) await close()
    await place.remove()
  })
  return await open()
}

async function makeOperator(database: PortalDatabase, clock: Clock): Promise<string> {
  const printed = await initPortal(database, { clock, publicUrl: PUBLIC_URL })
  return /opr_[0-9A-Za-z]+/.exec(printed)?.[0] ?? ''
}

async function ask(app: PortalApp, asked: Asked): Promise<Answered> {
  const { path, as, body, headers = {}, address = '192.0.2.1' } = asked
  const method = asked.method ?? (body === undefined ? 'GET' : 'POST')
  const url = new URL(path.startsWith('/api/') ? path : BASE + path, PUBLIC_URL)
  // What was refused half-way must not be read on by the form.
  const form = body instanceof FormData ? new Response(body) : undefined
  const given = form === undefined ? body : new Uint8Array(await form.arrayBuffer())
  const type = form?.headers.get('content-type') ?? 'application/json'
  const isGiven = typeof given === 'string' || given instanceof Uint8Array
  const request = new Request(url, {
    method,
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isGiven ? given : JSON.stringify(body) }),
  })
  const response = await app.fetch(request, { address })
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = bytes.toString('utf8')
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
  const answered = {
    ...{ status: response.status, headers: response.headers, text, bytes },
    body: isJson ? JSON.parse(text) : undefined,
  }
  expectDocumented(app.routes, { method, path: url.pathname }, answered)
  return answered
}

/** No answer is other than the document tells. */
function expectDocumented(
  routes: readonly Route[],
  { method, path }: { method: string; path: string },
  { status, headers, body }: Answered,
): void {
  const route = routes.find(
    (it) =>
      it.methods.some((one) => one === method) &&
      new RegExp(`^${it.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  if (route === undefined || route.document === 'private') return
  const told = route.document.answers[status]
  expect(
    told,
    `${method} ${path} answers ${status}, which its document does not tell`,
  ).toBeDefined()
  const type = headers.get('content-type')?.split(';')[0] ?? ''
  const schema = told?.content?.[type]
  if (body === undefined) return
  expect(schema, `${method} ${path} answers ${type}`).toBeDefined()
  const parsed = (schema ?? z.never()).safeParse(body)
  expect(parsed.error?.issues ?? [], `${method} ${path} ${status}`).toEqual([])
}
