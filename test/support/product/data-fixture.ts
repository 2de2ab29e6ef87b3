// Data directories as a release leaves them, small and whole: what later programs must be able to
// start on. One is made by `npx tsx test/support/product/make-data-fixture.ts`; those of releases
// are never made again.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { execFileSync } from '../run/run-sync.ts'

export const MAKE_AGAIN = 'npx tsx test/support/product/make-data-fixture.ts'
const FOLDER = join(import.meta.dirname, '../../fixtures/data-directories')

const descriptionSchema = z.strictObject({
  /** Of the product that wrote it, and of its data directory. */
  version: z.string(),
  format: z.int(),
  token: z.string(),
  password: z.string(),
  /** Acknowledged and not yet stored when it was left. */
  lateEvents: z.int().default(5),
  /** Searches, and the rows that they give. */
  searches: z.array(z.strictObject({ query: z.string(), rows: z.array(z.array(z.string())) })),
})
export type DataFixture = z.infer<typeof descriptionSchema>

export function fixtureNames(): string[] {
  const files = readdirSync(FOLDER).filter((it) => it.endsWith('.json'))
  return files.map((it) => it.slice(0, -'.json'.length)).sort()
}

export function fixturePath(name: string, ending: 'tar.gz' | 'json'): string {
  return join(FOLDER, `${name}.${ending}`)
}

/** Puts the directory's files into `dataDir`, which is there and empty. */
export function unpackFixture(name: string, dataDir: string): DataFixture {
  unpackArchive(fixturePath(name, 'tar.gz'), dataDir)
  return descriptionSchema.parse(JSON.parse(readFileSync(fixturePath(name, 'json'), 'utf8')))
}

export function unpackArchive(archive: string, directory: string): void {
  execFileSync('tar', ['--no-same-owner', '-xzf', archive, '-C', directory])
}
