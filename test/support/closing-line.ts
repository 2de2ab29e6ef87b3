// Vitest reporter: the last line of a run, `N passed, N failed, N skipped`, and why each skipped test was skipped.
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1
      // A hook that fails: its tests count as skipped.
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') counts.passed += 1
        else if (result.state === 'failed') counts.failed += 1
        else {
          counts.skipped += 1
          const note = 'note' in result ? result.note : undefined
          console.log(`skipped: ${test.fullName}${note ? ` (${note})` : ''}`)
        }
      }
    }
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }
}
