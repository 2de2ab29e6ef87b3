import { describe, expect, it } from 'vitest'
import { makeLogger } from '../../../../infra/logger.ts'
import {
  readOpenFileLimit,
  requireOpenFiles,
  warnOfOpenFiles,
} from '../../../../infra/supervisor/open-files.ts'
import { makeManualClock } from '../../../support/run/manual-clock.ts'

function check(limit: number | undefined): string {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  requireOpenFiles(limit)
  warnOfOpenFiles(
    makeLogger({ level: 'info', process: 'x', clock: makeManualClock(), write }),
    limit,
  )
  return lines.join('')
}

describe('the limit of open files', () => {
  it('is read from the system', () => {
    expect(readOpenFileLimit()).toBeGreaterThan(200)
  })

  it('refuses the start below 256, and says how to raise it', () => {
    expect(() => check(64)).toThrow(
      /^only 64 files may be open at once, 256 are needed .*ulimit -n/,
    )
  })

  it('is warned of where it is low but works', () => {
    expect(check(1024)).toContain('the limit of open files is low')
    expect(check(4096)).toBe('')
  })
})
