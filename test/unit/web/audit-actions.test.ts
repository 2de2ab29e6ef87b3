// The workspace has words for each call that the audit may name.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ACTIONS } from '../../../web/workspace/audit/texts.ts'

/** `METHOD path operationId hash`; test/contract/portal/portal-openapi.test.ts keeps it true. */
const SUMMARY = join(import.meta.dirname, '../../../docs/reference/portal-openapi.txt')

it('has words for each call that writes, and for no other', () => {
  const lines = readFileSync(SUMMARY, 'utf8').matchAll(/^(?:DELETE|PATCH|POST|PUT) \S+ (\w+) /gm)
  const writes = [...lines].map(([, operationId = '']) => operationId)
  expect(Object.keys(ACTIONS)).toEqual([...new Set(writes)].sort())
})
