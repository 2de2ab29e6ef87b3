// What a request may hold is bounded where zod checks it: a list without a limit is checked item by
// item, a megabyte of wrong ones in a fifth of a second.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Route } from '../../../infra/http/routes/route.ts'
import { openTestApp } from '../../support/apps/query-app.ts'
import { openQueryDatabase, type QueryDatabase } from '../../support/database/query-database.ts'
import { makeTestPortal } from '../../support/portal/portal-place.ts'
import { makeFailingStore } from '../../support/store/failing-store.ts'

let db: QueryDatabase
beforeAll(async () => {
  db = await openQueryDatabase()
})
afterAll(() => db.close())

/** Paths of the lists that may be of any length. */
function unboundedLists(node: unknown, path: string): string[] {
  if (Array.isArray(node)) return node.flatMap((one, at) => unboundedLists(one, `${path}/${at}`))
  if (typeof node !== 'object' || node === null) return []
  const isUnbounded = 'type' in node && node.type === 'array' && !('maxItems' in node)
  const inner = Object.entries(node).flatMap(([key, one]) => unboundedLists(one, `${path}/${key}`))
  return isUnbounded && !('prefixItems' in node) ? [path, ...inner] : inner
}

function listsOf({ path, parameters, body }: Route): string[] {
  const schemas = body.kind === 'none' ? [] : Object.values(body.contents)
  return [...schemas, ...(parameters === undefined ? [] : [parameters])].flatMap((schema) =>
    unboundedLists(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), path),
  )
}

describe('a request', () => {
  it('has lists of a limited length only', () => {
    const { app } = openTestApp(
      db,
      makeFailingStore(() => []),
    )
    expect(app.routes.length).toBeGreaterThan(30)
    expect(app.routes.flatMap(listsOf)).toEqual([])
  })

  it('to the portal likewise', async () => {
    const { app } = await makeTestPortal()
    expect(app.routes.length).toBeGreaterThan(50)
    expect(app.routes.flatMap(listsOf)).toEqual([])
  })

  it('with a list of any length is found', () => {
    const schema = z.strictObject({ a: z.array(z.strictObject({ b: z.array(z.string()).max(3) })) })
    expect(unboundedLists(z.toJSONSchema(schema), '')).toEqual(['/properties/a'])
  })
})
