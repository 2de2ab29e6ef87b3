// Which test files open a database: those that reach database-place.ts by their imports, however far away. A new one is run on both
// dialects without being named anywhere.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PLACE = 'database-place.ts'

/** Relative to the root of the checkout. */
export function findDatabaseTests(folder: string): string[] {
  const known = new Map<string, boolean>()
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .filter((file) => reachesPlace(file, known))
}

function reachesPlace(file: string, known: Map<string, boolean>): boolean {
  if (file.endsWith(PLACE)) return true
  const answer = known.get(file)
  if (answer !== undefined) return answer
  // Also what ends circles.
  known.set(file, false)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const imports = [...text.matchAll(/from '(\.{1,2}\/[^']*)'/g)].map((match) => match[1] ?? '')
  const reaches = imports
    .map((path) => join(dirname(file), path))
    .filter((path) => path.startsWith('test/'))
    .some((path) => reachesPlace(path, known))
  known.set(file, reaches)
  return reaches
}
