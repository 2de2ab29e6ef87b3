import { describe, expect, it } from 'vitest'
import { printAnswer } from '../../../../query/sdk/client/print-answer.ts'

describe('printAnswer', () => {
  it('prints a note on a line of its own where there are several', () => {
    expect(printAnswer({ name: 'a', notes: ['kept, not used'] })).toBe(
      'name: a\nnotes: kept, not used\n',
    )
    expect(printAnswer({ name: 'a', notes: ['kept, not used', 'secret; given'] })).toBe(
      'name: a\nnotes: \n  kept, not used\n  secret; given\n',
    )
  })

  it('sends no control character of a log line to the terminal', () => {
    expect(printAnswer({ pattern: '\u001b]0;x\u0007{text:A}\u009b', lines: ['a\r'] })).toBe(
      'pattern: \\u001b]0;x\\u0007{text:A}\\u009b\nlines: a\\u000d\n',
    )
  })
})
