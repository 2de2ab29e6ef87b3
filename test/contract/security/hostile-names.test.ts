// Names that every object of JavaScript has, where a caller gives names: no call of the query side
// takes what they stand for.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Method, Route } from '../../../infra/http/routes/route.ts'
import type { Logger } from '../../../infra/logger.ts'
import { SDK_COMMANDS } from '../../../schemas/sdk/commands.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import {
  openQueryDatabase,
  type QueryDatabase,
  silentLogger,
} from '../../support/database/query-database.ts'
import { makeTestPortal } from '../../support/portal/portal-place.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty']
/** What some calls need before they read other names. */
const NEEDED = { action: 'export', format: 'csv', appName: 'a', viewName: 'b' }
const PLACE = /\{\w+\}/g

let db: QueryDatabase
beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())

type Call = { readonly method: Method; readonly path: string; readonly body: string }

/** The name as an extra key, instead of each value, and as part of the path. */
function callsOf(route: Route, name: string): Call[] {
  const declared = Object.keys(route.parameters?.shape ?? {})
  const further = new URLSearchParams({ ...NEEDED, [`var.${name}`]: 'x', [name]: 'x' })
  const values = new URLSearchParams(Object.fromEntries(declared.map((one) => [one, name])))
  const path = route.path.replace(PLACE, encodeURIComponent(name))
  const plain = route.path.replace('{command}', 'addFolder').replace(PLACE, 'x')
  const body = `{"${name}": {"${name}": "x"}, "query": "${name} = ${name}", "chosen": {"${name}": ["x"]}}`
  return route.methods.flatMap((method) => [
    { method, path: `${plain}?${further}`, body },
    { method, path: `${plain}?${values}`, body: `{"${name}": "x"}` },
    { method, path, body: `["${name}"]` },
  ])
}

function open() {
  const errors: string[] = []
  const logger: Logger = { ...silentLogger, error: (message) => void errors.push(message) }
  const store = makeFailingStore(() => [])
  const { app, call } = openTestApp(db, store, { logger })
  const basic = Buffer.from(`admin:${db.adminPassword}`).toString('base64')
  const send = async ({ method, path, body }: Call) => {
    errors.length = 0
    const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' }
    const hasBody = method !== 'GET' && method !== 'DELETE'
    const answer = await call(path, { method, headers, ...(hasBody ? { body } : {}) })
    const isStream = answer.headers.get('content-type')?.includes('event-stream') === true
    if (isStream) await answer.body?.cancel()
    const text = isStream ? '' : await answer.text()
    const isFault = answer.status === 500 || errors.length > 0 || /native code/.test(text)
    return isFault ? [`${method} ${path}: ${answer.status} ${errors.join(', ')}`] : []
  }
  return { routes: app.routes, send }
}

describe('a name that every object has', () => {
  it.each(NAMES)('is a name like another for every route: %s', async (name) => {
    const { routes, send } = open()
    expect(routes.length).toBeGreaterThan(30)
    const faults: string[] = []
    for (const route of routes)
      for (const call of callsOf(route, name)) faults.push(...(await send(call)))
    expect(faults).toEqual([])
  })

  it.each(NAMES)('is a name like another for every route of the portal: %s', async (name) => {
    const { app, operator } = await makeTestPortal()
    expect(app.routes.length).toBeGreaterThan(50)
    const headers = { authorization: `Bearer ${operator}`, 'content-type': 'application/json' }
    const faults: string[] = []
    for (const { method, path, body } of app.routes.flatMap((route) => callsOf(route, name))) {
      const init = { method, headers, ...(method === 'GET' || method === 'DELETE' ? {} : { body }) }
      const request = new Request(`http://localhost${path}`, init)
      const { status } = await app.fetch(request, { address: '10.0.0.1' })
      if (status === 500) faults.push(`${method} ${path}`)
    }
    expect(faults).toEqual([])
  })

  it.each(NAMES)('is refused, or a value, in every command: %s', async (name) => {
    const { send } = open()
    const faults: string[] = []
    for (const [command, { input }] of Object.entries(SDK_COMMANDS)) {
      const names = Object.keys(input.shape)
      const path = `/logeye/sdk/${command}`
      const bodies = [
        `{"${name}": "x"}`,
        JSON.stringify(Object.fromEntries(names.map((it) => [it, name]))),
      ]
      for (const body of bodies) faults.push(...(await send({ method: 'POST', path, body })))
    }
    expect(faults).toEqual([])
  })
})
