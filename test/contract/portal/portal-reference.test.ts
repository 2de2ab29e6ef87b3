// The page of the API: complete, without anything that a browser would fetch elsewhere, and with
// examples that the calls take.
import { beforeAll, expect, it } from 'vitest'
import { Examples } from '../../../portal/reference-page/make-example.ts'
import { exampleBody } from '../../../portal/reference-page/print-operation.ts'
import { operationsOf, readDocument } from '../../../portal/reference-page/read-document.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'

let portal: TestPortal
let page = ''
beforeAll(async () => {
  portal = await makeTestPortal()
  page = (await portal.ask({ path: '/api/portal/docs' })).text
})

it('tells of every call, and every link within it leads somewhere', async () => {
  const document = readDocument((await portal.ask({ path: '/api/portal/openapi.json' })).body)
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { operationId } of operationsOf(document)) expect(ids).toContain(operationId)
  for (const name of Object.keys(document.components.schemas))
    expect(ids).toContain(`schema-${name}`)
  const within = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
  expect(within.length).toBeGreaterThan(100)
  expect(within.filter((id) => !ids.includes(id))).toEqual([])
})

it('asks for its style sheet and nothing else, and lets nothing else in', async () => {
  const { headers } = await portal.ask({ path: '/api/portal/docs' })
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect(page).not.toMatch(/<script|<style|<img| style=| src=| on\w+=|href="https?:/)
  const sheets = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)]
  expect(sheets.map(([, path]) => path)).toEqual(['/api/portal/docs.css'])
  const style = await portal.ask({ path: '/api/portal/docs.css' })
  expect([style.status, style.headers.get('content-type')]).toEqual([
    200,
    'text/css; charset=UTF-8',
  ])
  expect(style.text).not.toMatch(/url\(|@import/)
  for (const path of [...page.matchAll(/href="(\/[^"#]*)"/g)].map(([, one = '']) => one))
    expect((await portal.ask({ path })).status, path).toBe(200)
})

it('shows bodies that the calls take', async () => {
  const document = readDocument((await portal.ask({ path: '/api/portal/openapi.json' })).body)
  const examples = new Examples(document)
  let shown = 0
  for (const operation of operationsOf(document)) {
    const body = exampleBody(operation, examples)
    if (body === undefined) continue
    shown += 1
    const route = portal.app.routes.find(
      ({ path, methods }) =>
        path === operation.path && methods.some((one) => one === operation.method),
    )
    const contents = route?.body.kind === 'buffered' ? route.body.contents : {}
    const faults = contents['application/json']?.safeParse(body).error?.issues
    expect([operation.operationId, faults]).toEqual([operation.operationId, undefined])
  }
  expect(shown).toBeGreaterThan(15)
})
