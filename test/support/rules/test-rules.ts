// What makes a test fail by chance, found in its text: waits for a time, upper bounds on measured
// time, and the clock of the machine. The test feeds it the real tree and planted violations.
export type TestFile = { readonly path: string; readonly text: string }

/** It polls for a state; what it contains is the one interval of all waits. */
const WAIT = 'test/support/run/wait-until.ts'
/** Ends files that hang, outside of every test. */
const HUNG_FILES = [
  'test/support/run/end-hung-files.ts',
  'test/contract/run/end-hung-files.test.ts',
]

const NUMBER = String.raw`\d[\d_]*(?:\s*[*+-]\s*[\w.]+)*`
const SLEEP = new RegExp(String.raw`\b(?:sleep|delay|pause|wait)\(\s*${NUMBER}\s*[,)]`)
const TIMER = new RegExp(String.raw`\bsetTimeout\((?:[^()]|\([^()]*\))*,\s*${NUMBER}\s*\)`)

/** Literal waits: `sleep(100)`, `setTimeout(done, 1_000)`. SQL of the store has a sleep of its
 * own. */
export function findSleeps(files: readonly TestFile[]): string[] {
  return findLines(
    files.filter(({ path }) => path !== WAIT && !HUNG_FILES.includes(path)),
    (line) => (SLEEP.test(withoutSql(line)) || TIMER.test(line) ? 'waits for a time' : undefined),
  )
}

const ELAPSED = /performance\.now\(\)|systemClock\.|Date\.now\(\)|hrtime/
const MEASURED = /\b(?:took|elapsed|waited|longest\w*|passed|duration|tookMs|waitedMs|elapsedMs)\b/
const BOUND = /\.toBeLessThan(?:OrEqual)?\(/

/** Upper bounds on time that the machine measured, such as
 *  `expect(performance.now() - began).toBeLessThan(500)`. */
export function findTimeBounds(files: readonly TestFile[]): string[] {
  return findLines(files, (line) => {
    const [before] = line.split(BOUND)
    if (before === undefined || before === line) return undefined
    const measured = before.replace(/\b(?:\w+\.)?clock\.elapsedMs\(\)/, '')
    // A clock that a test made is under its control.
    const isTime = ELAPSED.test(measured) || (MEASURED.test(measured) && /Ms\b|took/.test(measured))
    return isTime ? 'bounds measured time' : undefined
  })
}

const SYSTEM_CLOCK =
  /\bsystemClock\b|\bDate\.now\(\)|\bnew Date\(\)|\bperformance\.now\(\)|\bprocess\.hrtime\b/

/** Contract tests that read the clock of the machine, each once. */
export function findSystemClock(files: readonly TestFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('test/contract/') && path.endsWith('.test.ts'))
    .filter(({ text }) => text.split('\n').some((line) => SYSTEM_CLOCK.test(withoutComment(line))))
    .map(({ path }) => path)
}

function findLines(
  files: readonly TestFile[],
  judge: (line: string) => string | undefined,
): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, at) => {
      const fault = judge(withoutComment(line))
      return fault === undefined ? [] : `${path}:${at + 1} ${fault}: ${line.trim()}`
    }),
  )
}

function withoutComment(line: string): string {
  return line.replace(/^\s*(?:\/\/|\*|\/\*).*/, '').replace(/\s\/\/.*/, '')
}

function withoutSql(line: string): string {
  return line.replace(/'[^']*\bsleep\([^']*'|\bSELECT\b.*|`[^`]*`/g, '')
}
