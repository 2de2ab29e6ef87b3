// The code of docs/reference/portal-client.md, as a reader of the page copies it.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
const PAGE = readFileSync(join(ROOT, 'docs/reference/portal-client.md'), 'utf8')

/** Writes the blocks that begin with the name of a file; our packages can be imported there. */
export function writeClientSnippets(folder: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const blocks = PAGE.matchAll(/^```ts\n\/\/ ([\w-]+\.ts)\n([\s\S]*?)^```$/gm)
  for (const [, name = '', code = ''] of blocks) writeFileSync(join(folder, name), code)
}

/** The words of the page's command that generates portal-api.ts, without `npx` and the package. */
export function generatorWords(): readonly string[] {
  const [, words = ''] = /^npx --yes openapi-typescript@\S+ (.+)$/m.exec(PAGE) ?? []
  return words.split(' ')
}
