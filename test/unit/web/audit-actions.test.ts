// The workspace has words for each call that the audit may name.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { ACTIONS } from '../../../web/workspace/audit/texts.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/reference/portal-openapi.json')
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))),
})

it('has words for each call that writes, and for no other', () => {
  const { paths } = document.parse(JSON.parse(readFileSync(DOCUMENT, 'utf8')))
  const writes = Object.values(paths)
    .flatMap((methods) => Object.entries(methods))
    .flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId]))
  expect(Object.keys(ACTIONS)).toEqual([...new Set(writes)].sort())
})
