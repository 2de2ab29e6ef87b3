// One fault against the tests that import its file: the unit tests first, then the nearest of the
// contract tests, then all of them.
import { applyFault, type Fault, nameOf, type Texts } from './fault-list.ts'
import { findNearTests } from './near-tests.ts'
import type { Result } from './results.ts'
import type { Scratch } from './scratch.ts'

/** Not with reporters of the tree: one fails a run for a test that a missing tool leaves out. */
const VITEST = 'node_modules/.bin/vitest --reporter=default'
export const BUILD = 'node infra/scripts/build.mjs'
/** For one file of tests, with a build before it. */
export const FILE_LIMIT_MS = 20 * 60_000
/** Contract tests that run first. */
const NEAR = 6
const FAILED_TEST = /^\s*FAIL\s+\|([^|\s]+)\|\s+(\S+\.test\.tsx?)(?:\s+>\s+(.*))?/gm
const STRAY_ERROR = /originated in "(\S+\.test\.tsx?)" test file/g

export type Failing = {
  /** Undefined for an error outside of all tests. */
  readonly project: string | undefined
  readonly file: string
  readonly name: string
}

export type ProbeOptions = {
  readonly limitMs: number
  readonly workers: number
  /** Files that fail without a fault: they are left out. Grows. */
  readonly red: Set<string>
}

/** What has failed by the output of Vitest, without colors: each file once, with a test of it. */
export function findFailing(output: string): Failing[] {
  const failing = [
    ...[...output.matchAll(FAILED_TEST)].map(([, project, file = '', name = '']) => ({
      project,
      file,
      name: name.trim(),
    })),
    ...[...output.matchAll(STRAY_ERROR)].map(([, file = '']) => ({
      project: undefined,
      file,
      name: 'an error outside of its tests',
    })),
  ]
  return failing.filter(({ file }, at) => failing.findIndex((one) => one.file === file) === at)
}

export async function probeFault(
  scratch: Scratch,
  fault: Fault,
  texts: Texts,
  options: ProbeOptions,
): Promise<Result> {
  const { limitMs, workers, red } = options
  const began = performance.now()
  const chance: string[] = []
  const end = (outcome: Result['outcome'], more: Partial<Result> = {}): Result => {
    scratch.restore()
    const { number } = fault
    const seconds = (performance.now() - began) / 1000
    const base = { number, name: nameOf(fault), commit: scratch.commit, tier: 'related', outcome }
    return { ...base, ...(chance.length > 0 ? { chance } : {}), ...more, seconds }
  }
  if (applyFault(fault, texts) === undefined) return end('not applied')
  const [file = ''] = scratch.write([fault], texts)
  const near = findNearTests(file, scratch.readAll(), { folder: 'test/contract/', most: NEAR })
  const phases = [
    { project: 'unit', tests: `related ${file}` },
    { project: 'contract', tests: `run ${near.join(' ')}` },
    { project: 'contract', tests: `related ${file}` },
  ]
  for (const { project, tests } of near.length > 0 ? phases : phases.slice(0, 1)) {
    scratch.write([fault], texts)
    if (project !== 'unit' && (await scratch.run(BUILD, FILE_LIMIT_MS)).code !== 0)
      return end('not built')
    for (;;) {
      scratch.leaveOut([...red, ...chance])
      const { code, output } = await scratch.run(
        `${VITEST} ${tests} --run --bail 1 --passWithNoTests --project ${project} --maxWorkers ${workers}`,
        Math.max(1, limitMs - (performance.now() - began)),
      )
      if (code === 0) break
      if (code === null)
        return end('undecided', { reason: `no end within ${limitMs / 60_000} min` })
      const [failing] = findFailing(output)
      if (failing === undefined || chance.includes(failing.file))
        return end('undecided', { reason: `no test is named: ${output.slice(-400)}` })
      const cause = await findCause(scratch, fault, texts, { ...failing, project })
      if (cause === 'fault') return end('detected', { test: `${failing.file} > ${failing.name}` })
      if (cause === 'tree') red.add(failing.file)
      chance.push(failing.file)
      scratch.write([fault], texts)
    }
  }
  return end('survived')
}

/**
 * Why a file of tests fails: the fault, when it passes without it and fails again with it; the
 * tree, when it fails without it; else chance.
 */
async function findCause(
  scratch: Scratch,
  fault: Fault,
  texts: Texts,
  failing: Failing,
): Promise<'fault' | 'tree' | 'chance'> {
  if (!(await passes(scratch, [], texts, failing))) return 'tree'
  return (await passes(scratch, [fault], texts, failing)) ? 'chance' : 'fault'
}

/** Whether a file of tests passes with these faults. */
export async function passes(
  scratch: Scratch,
  faults: readonly Fault[],
  texts: Texts,
  { project, file }: Failing,
): Promise<boolean> {
  const build = project === 'unit' ? '' : `${BUILD} && `
  const only = project === undefined ? '' : `--project ${project}`
  scratch.write(faults, texts)
  const { code } = await scratch.run(`${build}${VITEST} run ${only} ${file}`, FILE_LIMIT_MS)
  return code === 0
}
