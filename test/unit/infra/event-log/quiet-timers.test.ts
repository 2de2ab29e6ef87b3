// Runs in a program of its own: what it changes is the whole process's.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spawnSync } from '../../../support/run/run-sync.ts'

const MODULE = join(import.meta.dirname, '../../../../infra/event-log/kafka/quiet-timers.ts')

it('drops the warning of timers of negative length, and no other one', () => {
  const program = `
    const { quietNegativeTimers } = await import(${JSON.stringify(MODULE)})
    quietNegativeTimers()
    process.emitWarning('-5 is a negative number', 'TimeoutNegativeWarning')
    setTimeout(() => undefined, -1e12)
    process.emitWarning('something else', 'OtherWarning')
  `
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', program],
    { encoding: 'utf8' },
  )
  expect(status).toBe(0)
  expect(stderr).toContain('OtherWarning: something else')
  expect(stderr).not.toContain('negative')
})
