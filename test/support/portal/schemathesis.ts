// Schemathesis, which makes calls of an OpenAPI document and compares the answers with it. The
// Python package is not ours: `.ci/run` brings it and names its folder.
import { execFile } from 'node:child_process'
import { type Missing, missing } from '../run/missing.ts'
import { spawnSync } from '../run/run-sync.ts'

const MODULES = process.env.LOGEYE_TEST_SCHEMATHESIS
const ENVIRONMENT = { ...process.env, ...(MODULES === undefined ? {} : { PYTHONPATH: MODULES }) }
/** Of a run: what the cases that follow from the document leave goes to random ones. */
const SECONDS = 10
const LIMIT_MS = 200_000
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'unsupported_method',
]

export const schemathesisMissing = (): Missing =>
  missing(
    () => spawnSync('python3', ['-c', 'import schemathesis'], { env: ENVIRONMENT }).status === 0,
    'Schemathesis (LOGEYE_TEST_SCHEMATHESIS)',
  )

export type SchemathesisRun = { readonly isClean: boolean; readonly printed: string }

export async function runSchemathesis(of: {
  readonly url: string
  readonly document: string
  readonly directory: string
  readonly without?: readonly string[]
}): Promise<SchemathesisRun> {
  const { url, document, directory, without = [] } = of
  const words = [
    ...['-m', 'schemathesis.cli', 'run', document, '--url', url],
    ...['--checks', CHECKS.join(','), '--phases', 'examples,coverage,fuzzing'],
    ...['--max-time', String(SECONDS), '--workers', '1', '--request-timeout', '20'],
    ...['--seed', '1', '--no-shrink', '--no-color', '--warnings', 'off'],
    ...['--suppress-health-check', 'all', '--output-truncate', 'true'],
    ...without.flatMap((id) => ['--exclude-operation-id', id]),
  ]
  const told = { env: ENVIRONMENT, cwd: directory, timeout: LIMIT_MS }
  return await new Promise((resolve) => {
    const limits = { ...told, maxBuffer: 64 * 1024 * 1024 }
    execFile('python3', words, limits, (error, out, err) =>
      resolve({ isClean: error === null, printed: out + err }),
    )
  })
}
