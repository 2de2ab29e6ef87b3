import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/reference/architecture.md'), 'utf8')

/** Paths between backticks; what is not built yet stands without them. */
function pathsOf(page: string): string[] {
  const paths = page.matchAll(/`((?:roles|schemas|infra|ingest|query|loadtest|test)\/[\w./-]*)`/g)
  return [...new Set([...paths].map(([, path = '']) => path))]
}

const missing = (page: string) => pathsOf(page).filter((path) => !existsSync(join(ROOT, path)))

describe('the page of the architecture', () => {
  it('names only files and folders that exist', () => {
    expect(pathsOf(PAGE).length).toBeGreaterThan(40)
    expect(missing(PAGE)).toEqual([])
    expect(missing('a page in `query/pages/nowhere.ts`')).toEqual(['query/pages/nowhere.ts'])
  })

  it('tells where to add each of the seven things', () => {
    const [, part = ''] = PAGE.split('## Where do I add …')
    const things = ['An input', 'A stage', 'A command', 'A job', 'A page', 'A setting', 'A failure']
    for (const thing of things) expect(part).toContain(`**${thing}**`)
  })
})
