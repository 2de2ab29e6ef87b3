// The client of docs/reference/portal-client.md compiles with the types that the page's command
// generates. The generator needs TypeScript 5, so it is not one of our packages: install it with
// npm install --no-save --prefix <folder> openapi-typescript@7.13.0 typescript@5.9.3
// and name the folder in LOGEYE_TEST_OPENAPI_TYPESCRIPT.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { generatorWords, writeClientSnippets } from '../../support/portal/client-snippets.ts'
import { makeTestPortal } from '../../support/portal/portal-place.ts'
import { execFileSync, spawnSync } from '../../support/run/run-sync.ts'

const ROOT = join(import.meta.dirname, '../../..')
const GENERATOR = process.env.LOGEYE_TEST_OPENAPI_TYPESCRIPT
const DOCUMENT = '/api/portal/openapi.json'
const WRONG = `import { createPortalClient } from './portal-client.ts'
await createPortalClient({ url: '' }).POST('/api/portal/v1/pricing/quote', {
  body: { lines: 17, term: 'annual' },
})
`

const folder = mkdtempSync(join(tmpdir(), 'logeye-test-portal-client-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('compiles with the generated types, and a wrong body does not', async ({ skip }) => {
  skip(GENERATOR === undefined, 'LOGEYE_TEST_OPENAPI_TYPESCRIPT names no generator')
  const portal = await makeTestPortal()
  writeFileSync(join(folder, 'document.json'), (await portal.ask({ path: DOCUMENT })).text)
  const words = generatorWords().map((word) => (word.endsWith(DOCUMENT) ? 'document.json' : word))
  const generator = join(GENERATOR ?? '', 'node_modules/openapi-typescript/bin/cli.js')
  execFileSync(process.execPath, [generator, ...words], { cwd: folder, stdio: 'ignore' })

  writeClientSnippets(folder)
  expect(compile()).toBe('')
  writeFileSync(join(folder, 'wrong.ts'), WRONG)
  expect(compile()).toMatch(/^wrong\.ts\(3,11\): error TS2322: Type 'number'/)
})

/** With our settings, all files of the folder; returns the errors. */
function compile(): string {
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions: { rootDir: '.' } }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: ['*.ts'] }))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: folder, encoding: 'utf8' })
    .stdout
}
