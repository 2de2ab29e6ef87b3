// One fault against the tests that import its file: the unit tests first, then the contract tests.
import { applyFault, type Fault, nameOf, type Texts } from './fault-list.ts'
import type { Result } from './results.ts'
import type { Scratch } from './scratch.ts'

/** Not with reporters of the tree: one fails a run for a test that a missing tool leaves out. */
const VITEST = 'node_modules/.bin/vitest --reporter=default'
export const BUILD = 'node infra/scripts/build.mjs'
/** For one file of tests, with a build before it. */
export const FILE_LIMIT_MS = 20 * 60_000
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
  for (const project of ['unit', 'contract']) {
    const [file = ''] = scratch.write([fault], texts)
    if (project !== 'unit' && (await scratch.run(BUILD, FILE_LIMIT_MS)).code !== 0)
      return end('not built')
    for (;;) {
      scratch.leaveOut([...red, ...chance])
      const { code, output } = await scratch.run(
        `${VITEST} related --run --bail 1 --passWithNoTests --project ${project} --maxWorkers ${workers} ${file}`,
        Math.max(1, limitMs - (performance.now() - began)),
      )
      if (code === 0) break
      if (code === null)
        return end('undecided', { reason: `no end within ${limitMs / 60_000} min` })
      const [failing] = findFailing(output)
      if (failing === undefined || chance.includes(failing.file))
        return end('undecided', { reason: `no test is named: ${output.slice(-400)}` })
      const cause = await findCause(scratch, [fault], texts, { ...failing, project })
      if (cause === 'fault') return end('detected', { test: `${failing.file} > ${failing.name}` })
      if (cause === 'tree') red.add(failing.file)
      chance.push(failing.file)
      scratch.write([fault], texts)
    }
  }
  return end('survived')
}

/**
 * Why a file of tests fails: the faults, when it passes without them and fails again with them; the
 * tree, when it fails without them; else chance.
 */
export async function findCause(
  scratch: Scratch,
  faults: readonly Fault[],
  texts: Texts,
  { project, file }: Failing,
): Promise<'fault' | 'tree' | 'chance'> {
  const build = project === 'unit' ? '' : `${BUILD} && `
  const only = project === undefined ? '' : `--project ${project}`
  const command = `${build}${VITEST} run ${only} ${file}`
  scratch.restore()
  if ((await scratch.run(command, FILE_LIMIT_MS)).code !== 0) return 'tree'
  scratch.write(faults, texts)
  return (await scratch.run(command, FILE_LIMIT_MS)).code === 0 ? 'chance' : 'fault'
}
