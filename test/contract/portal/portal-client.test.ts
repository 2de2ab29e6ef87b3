// The generated client is that of the committed document. The generator needs a TypeScript of its
// own, so it is no package of ours: `.ci/run` brings it and names its folder in
// LOGEYE_TEST_OPENAPI_TYPESCRIPT. Without it the hash of the document must be the right one.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { execFileSync } from '../../support/run/run-sync.ts'

const REFERENCE = join(import.meta.dirname, '../../../docs/reference')
const DOCUMENT = join(REFERENCE, 'portal-openapi.json')
const CLIENT = join(REFERENCE, 'portal-client/portal-api.ts')
const GENERATOR = process.env.LOGEYE_TEST_OPENAPI_TYPESCRIPT

const hash = createHash('sha256').update(readFileSync(DOCUMENT)).digest('hex')
const head = `// Generated of portal-openapi.json with the SHA-256 ${hash}; README.md says how.\n`

it('is of the committed document', () => {
  const [first = ''] = readFileSync(CLIENT, 'utf8').split('\n', 1)
  if (GENERATOR === undefined)
    expect(`${first}\n`, 'README.md says how to write it anew').toBe(head)
  else expect(first).toContain('SHA-256')
})

it('is what the generator makes of it', async ({ skip }) => {
  skip(GENERATOR === undefined, 'LOGEYE_TEST_OPENAPI_TYPESCRIPT names no generator')
  const command = join(GENERATOR ?? '', 'node_modules/openapi-typescript/bin/cli.js')
  const made = execFileSync(process.execPath, [command, DOCUMENT, '--export-type'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await expect(head + made).toMatchFileSnapshot(CLIENT)
})
