// Vitest reporter: the time of each project, the slowest files, skipped tests counted by reason,
// failures, and the last line of a run, `N passed, N failed, N skipped`. A skip without a reason
// fails the run. Failures come last: of a long output often only the end is kept. The gate runs
// several parts: each prints its counts in other words and leaves them for the gate, whose last
// line is their sum.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'

const MAX_REASON_CHARS = 500
const SLOWEST_FILES = 20
/** As test/support/run/skip.ts writes it into a name. */
const NAMED_REASON = /\(skipped: (.*?)\)(?= >|$)/

export default class ClosingLine implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const failed = unhandledErrors.map((error) => `outside of a test: ${reasonOf(error)}`)
    const skippedByReason = new Map<string, number>()
    let passed = 0
    let skipped = 0
    for (const module of modules) {
      const [error] = module.errors()
      if (error !== undefined) failed.push(`${module.moduleId}: ${reasonOf(error)}`)
      for (const suite of module.children.allSuites()) {
        const [error] = suite.errors()
        if (error !== undefined) failed.push(`${suite.fullName}: ${reasonOf(error)}`)
      }
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') passed += 1
        else if (result.state === 'failed')
          failed.push(`${test.fullName}: ${reasonOf(result.errors[0])}`)
        else {
          skipped += 1
          const reason = this.#skipReason(test)
          if (reason === undefined) failed.push(`${test.fullName}: skipped without a reason`)
          const key = reason ?? 'without a reason'
          skippedByReason.set(key, (skippedByReason.get(key) ?? 0) + 1)
        }
      }
    }
    printTimes(modules)
    for (const [reason, count] of skippedByReason)
      console.log(`skipped: ${String(count).padStart(4)}  ${reason}`)
    for (const reason of failed) console.log(`failed: ${reason}`)
    printCounts(passed, failed.length, skipped)
    if (failed.length > 0) process.exitCode = 1
  }

  #skipReason(test: TestCase): string | undefined {
    if (this.#vitest?.getGlobalTestNamePattern() !== undefined) return 'not asked for by name'
    const result = test.result()
    if (result.state === 'skipped' && result.note) return result.note
    const named = NAMED_REASON.exec(test.fullName)?.[1]
    if (named !== undefined) return named
    return hasFailedHook(test) ? 'a hook before it failed' : undefined
  }
}

/** What fails before the tests of a suite or a file leaves them out. */
function hasFailedHook(test: TestCase): boolean {
  for (let parent: TestSuite | TestModule = test.parent; ; parent = parent.parent) {
    if (parent.errors().length > 0) return true
    if (parent.type === 'module') return false
  }
}

function printTimes(modules: ReadonlyArray<TestModule>): void {
  const msByProject = new Map<string, number>()
  const files = modules.map((module) => {
    const { setupDuration, collectDuration, duration } = module.diagnostic()
    const ms = setupDuration + collectDuration + duration
    const { name } = module.project
    msByProject.set(name, (msByProject.get(name) ?? 0) + ms)
    return { ms, path: module.relativeModuleId, name }
  })
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(7)} s`
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST_FILES)
  for (const { ms, path, name } of slowest) console.log(`slow: ${seconds(ms)}  ${name} ${path}`)
  for (const [name, ms] of msByProject)
    console.log(`time: ${seconds(ms)}  ${name}, all files added`)
}

function printCounts(passed: number, failed: number, skipped: number): void {
  const { LOGEYE_TEST_PART: part, LOGEYE_TEST_COUNTS: folder } = process.env
  if (part === undefined || folder === undefined) {
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
    return
  }
  writeFileSync(join(folder, part.replaceAll(/\W/g, '-')), `${passed} ${failed} ${skipped}\n`)
  console.log(`${part}: passed ${passed}, failed ${failed}, skipped ${skipped}`)
}

function reasonOf(error: unknown): string {
  const message = typeof error === 'object' && error && 'message' in error ? error.message : error
  return String(message).replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_CHARS)
}
