// The OpenAPI document of the portal: as its summary says, valid by a validator that is not ours,
// and complete. That answers are what it says is checked wherever a test calls the portal
// (test/support/portal/portal-place.ts).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { findChanges, REWRITE } from '../../support/openapi/summary.ts'
import { makeTestPortal, type TestPortal } from '../../support/portal/portal-place.ts'

const SUMMARY = join(import.meta.dirname, '../../../docs/reference/portal-openapi.txt')

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  responses: z.record(z.string(), z.looseObject({})),
})
const documentSchema = z.looseObject({
  openapi: z.literal('3.1.0'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
})

let portal: TestPortal
let text = ''
beforeAll(async () => {
  portal = await makeTestPortal()
  text = (await portal.ask({ path: '/api/portal/openapi.json' })).text
})

it('is summarized in docs/reference/portal-openapi.txt', () => {
  expect(findChanges(readFileSync(SUMMARY, 'utf8'), JSON.parse(text)), REWRITE).toEqual([])
})

it('is valid OpenAPI 3.1 by another program', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(text))
  expect([valid, errors]).toEqual([true, undefined])
  expect(validator.version).toBe('3.1')
})

it('tells of every route that is served, has what it refers to, and no id twice', () => {
  const document = documentSchema.parse(JSON.parse(text))
  const told = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = portal.app.routes
    .filter(({ document: own }) => own !== 'private')
    .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
  expect(told.sort()).toEqual(served.sort())
  const known = Object.entries(document.components).flatMap(([kind, named]) =>
    Object.keys(named ?? {}).map((name) => `#/components/${kind}/${name}`),
  )
  for (const [, reference] of text.matchAll(/"\$ref":"([^"]*)"/g))
    expect(known).toContain(reference)
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(ids).size).toBe(ids.length)
})
