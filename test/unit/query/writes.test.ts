// Whoever changes something does it within his rights: each write of `query/` goes through
// `runWithinRights`, or is named here with the reason why it does not.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const OWN: Readonly<Record<string, string>> = {
  'query/access/session-table.ts': 'ends the own session',
  'query/access/begin-session.ts': 'begins the own session',
  'query/access/oidc-table.ts': 'groups of a provider are process configuration',
  'query/dashboards/open-dashboard.ts': 'notes that a dashboard was read',
  'query/dashboards/run-dashboard.ts': 'keeps a result with the rights of its reader',
  'query/monitors/run/record-end.ts': 'a job',
  'query/monitors/tell/escalation-job.ts': 'a job',
  'query/statistics/silence/watch-silence.ts': 'a job',
}

type Source = { readonly path: string; readonly text: string }

const WRITE = /database\s*\.write\s*\(/g
const GUARDED = /\b(?:runWithinRights|withinRights)\(/g

/** Files that write more often than within rights. */
function findWrites(sources: readonly Source[]): string[] {
  return sources
    .filter(({ text }) => count(text, WRITE) > count(text, GUARDED))
    .map(({ path }) => path)
}

function count(text: string, expression: RegExp): number {
  return [...text.matchAll(expression)].length
}

describe('the writes of queries', () => {
  const sources = readdirSync('query', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ path: `query/${name}`, text: readFileSync(`query/${name}`, 'utf8') }))

  it('are within rights, or named here', () => {
    expect(findWrites(sources).sort()).toEqual(Object.keys(OWN).sort())
  })

  it('are seen where one is added', () => {
    const text = 'await metastore.database.write((transaction) => removePolicy(transaction, name))'
    expect(findWrites([{ path: 'query/x.ts', text }])).toEqual(['query/x.ts'])
  })
})
