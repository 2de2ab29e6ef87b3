// What a browser loads before the first page is drawn, and what is loaded later, as the build has
// made it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const DIST = join(import.meta.dirname, '../../../dist/web')
const ASSETS = join(DIST, 'assets')
const MOST_AT_FIRST = 300 * 1024
/** The library of charts is two thirds of it. */
const MOST_AT_ALL = 640 * 1024

describe.skipIf(!existsSync(join(DIST, '.stamp')))('the built pages (needs the build)', () => {
  it.each(['console', 'workspace'])(
    'load 300 KiB compressed at most for the %s, the font of Latin texts among them',
    (page) => {
      const names = firstLoaded(page)
      const bytes = sizeOf([...names].map((name) => `${name}.gz`)) + sizeOf(fonts())
      console.log(`the ${page} is ${Math.round(bytes / 1024)} KiB compressed`)
      expect(names.size).toBeGreaterThanOrEqual(2)
      expect([...names].some((name) => name.startsWith('draw-chart'))).toBe(false)
      expect(bytes).toBeLessThanOrEqual(MOST_AT_FIRST)
    },
  )

  it('are 640 KiB compressed with all that is loaded later, charts among it', () => {
    const bytes = sizeOf(readdirSync(ASSETS).filter((name) => name.endsWith('.gz')))
    console.log(`all pages are ${Math.round(bytes / 1024)} KiB compressed`)
    expect(bytes).toBeLessThanOrEqual(MOST_AT_ALL)
  })
})

/** What the page names, and what that imports before it runs. */
function firstLoaded(page: string): ReadonlySet<string> {
  const html = readFileSync(join(DIST, page, 'index.html'), 'utf8')
  const waiting = [...html.matchAll(/(?:src|href)="[^"]*assets\/([^"]+\.(?:js|css))"/g)].map(
    ([, name = '']) => name,
  )
  const found = new Set<string>()
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue
    found.add(name)
    if (!name.endsWith('.js')) continue
    const text = readFileSync(join(ASSETS, name), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g))
      waiting.push(basename(path))
  }
  return found
}

function fonts(): string[] {
  return readdirSync(ASSETS).filter((name) => /^inter-latin-wght.*\.woff2$/.test(name))
}

function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + statSync(join(ASSETS, name)).size, 0)
}
