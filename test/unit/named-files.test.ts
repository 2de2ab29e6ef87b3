// Paths that no compiler sees: what a hook loads of the built product, and what a test starts as a
// process of its own.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const HOOKS = 'loadtest/chaos/hooks'
/** Their samples name files that are not there. */
const WITH_SAMPLES = /test-rules\.test\.ts$|unit\/loadtest\/faults\//

it('hooks load built files whose sources are there', () => {
  const named = readdirSync(join(ROOT, HOOKS)).flatMap((hook) =>
    [...readFileSync(join(ROOT, HOOKS, hook), 'utf8').matchAll(/dist\/([^']+)\.js'/g)].map(
      ([, path]) => `${path}.ts`,
    ),
  )
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

it('tests and load tests start files that are there', () => {
  const named: string[] = []
  for (const folder of ['test', 'loadtest'])
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
      const file = join(entry.parentPath, entry.name).replaceAll('\\', '/')
      if (WITH_SAMPLES.test(file)) continue
      const text = readFileSync(file, 'utf8')
      // In quotes; a template without the file's name names its folder. No file is named `x.ts`.
      for (const [, path = ''] of text.matchAll(/['`]((?:test|loadtest|infra)\/[\w./-]+)/g))
        if (/(?:\/|(?<!\/x)\.ts|\.mjs)$/.test(path)) named.push(path)
    }
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
