// Vitest reporter: why each skipped test was skipped, what failed, and the last line of a run, `N passed, N failed, N skipped`.
// What failed stands last: of a long output often the end alone is kept.
import type { Reporter, TestModule } from 'vitest/node'

const MAX_REASON_CHARS = 500

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const failed = unhandledErrors.map((error) => `outside of a test: ${reasonOf(error)}`)
    const counts = { passed: 0, skipped: 0 }
    for (const module of modules) {
      const [error] = module.errors()
      if (error !== undefined) failed.push(`${module.moduleId}: ${reasonOf(error)}`)
      // A hook that fails: its tests count as skipped.
      for (const suite of module.children.allSuites()) {
        const [error] = suite.errors()
        if (error !== undefined) failed.push(`${suite.fullName}: ${reasonOf(error)}`)
      }
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') counts.passed += 1
        else if (result.state === 'failed')
          failed.push(`${test.fullName}: ${reasonOf(result.errors[0])}`)
        else {
          counts.skipped += 1
          const note = 'note' in result ? result.note : undefined
          console.log(`skipped: ${test.fullName}${note ? ` (${note})` : ''}`)
        }
      }
    }
    for (const reason of failed) console.log(`failed: ${reason}`)
    console.log(`${counts.passed} passed, ${failed.length} failed, ${counts.skipped} skipped`)
  }
}

function reasonOf(error: unknown): string {
  const message = typeof error === 'object' && error && 'message' in error ? error.message : error
  return String(message).replaceAll(/\s+/g, ' ').slice(0, MAX_REASON_CHARS)
}
