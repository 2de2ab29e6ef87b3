// A run of Vitest of its own, with two workers, whose files do not end.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { missing } from '../../support/run/missing.ts'
import { spawnSync } from '../../support/run/run-sync.ts'
import { describeUnless } from '../../support/run/skip.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FILES: Readonly<Record<string, string>> = {
  'a-loop': 'it("never ends", () => { for (;;); })',
  'b-program':
    'it("waits for ever", () => { execFileSync(process.execPath, ["-e", "setInterval(Date, 1e9)"]) })',
  'c-top': 'await new Promise(() => undefined); it("is never known", () => {})',
  'd-good': 'it("is run all the same", () => {})',
}
/** A file that is good ends within it, also on a busy machine. */
const LIMIT_MS = 8000
const psMissing = missing(
  () => spawnSync('ps', ['-V']).error === undefined,
  'ps (the package procps)',
)

describeUnless(psMissing, 'files that do not end', () => {
  let folder = ''
  let output = ''
  let status: number | null = null

  beforeAll(async () => {
    const kept = join(ROOT, 'node_modules/.cache')
    mkdirSync(kept, { recursive: true })
    // Within the project: the files are to find its packages.
    folder = mkdtempSync(join(kept, 'hung-files-'))
    const head = "import { execFileSync } from 'node:child_process'\nimport { it } from 'vitest'\n"
    for (const [name, text] of Object.entries(FILES))
      writeFileSync(join(folder, `${name}.test.ts`), `void execFileSync\n${head}${text}\n`)
    const run = join(ROOT, 'test/support/run')
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `export default { test: {
        include: ['*.test.ts'], pool: 'forks', isolate: false, maxWorkers: 2,
        sequence: { shuffle: false },
        setupFiles: [${JSON.stringify(join(run, 'say-worker.ts'))}],
        reporters: ['default', ${JSON.stringify(join(run, 'end-hung-files.ts'))}],
      } }`,
    )
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
    await new Promise<void>((resolve) => {
      const child = execFile(
        process.execPath,
        [vitest, 'run', '--root', folder],
        {
          // Of the run that this is a part of, nothing is to be left.
          env: {
            PATH: process.env.PATH,
            LOGEYE_TEST_FILE_LIMIT_MS: String(LIMIT_MS),
            NO_COLOR: '1',
          },
          timeout: 150_000,
          killSignal: 'SIGKILL',
        },
        (_, stdout, stderr) => {
          output = stdout + stderr
          status = child.exitCode
          resolve()
        },
      )
    })
  }, 180_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('tells where each file that does not end stands, ends it, and fails', () => {
    expect(output).toMatch(/hung: a-loop\.test\.ts, worker \d+[\s\S]*?a loop, or/)
    expect(output).toMatch(
      /hung: b-program\.test\.ts, worker \d+[\s\S]*?a call that lasts[\s\S]*?setInterval/,
    )
    expect(output).toMatch(/hung: c-top\.test\.ts, worker \d+[\s\S]*?it waits/)
    for (const name of ['a-loop', 'b-program', 'c-top'])
      expect(output).toContain(`${name}.test.ts did not end within ${LIMIT_MS / 1000} s`)
    expect(status).toBe(1)
  })

  it('runs the files behind them', () => {
    expect(output).toMatch(/✓ d-good\.test\.ts/)
  })
})
