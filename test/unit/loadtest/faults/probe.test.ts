import { describe, expect, it } from 'vitest'
import { findFailing } from '../../../../loadtest/faults/probe.ts'

describe('what has failed', () => {
  it('is each file once, with its first test, and files with stray errors', () => {
    const output = [
      ' FAIL  |unit| test/unit/a.test.ts > a > is one',
      ' FAIL  |unit| test/unit/a.test.ts > a > is another',
      ' FAIL  |contract| test/contract/b.test.ts [ test/contract/b.test.ts ]',
      'This error originated in "test/unit/c.test.ts" test file. It does not',
    ].join('\n')
    expect(findFailing(output)).toEqual([
      { project: 'unit', file: 'test/unit/a.test.ts', name: 'a > is one' },
      { project: 'contract', file: 'test/contract/b.test.ts', name: '' },
      { project: undefined, file: 'test/unit/c.test.ts', name: 'an error outside of its tests' },
    ])
  })

  it('is nothing in a run that passes', () => {
    expect(findFailing(' Test Files  3 passed (3)\n')).toEqual([])
  })
})
