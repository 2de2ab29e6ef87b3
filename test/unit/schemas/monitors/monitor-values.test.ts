import { describe, expect, it } from 'vitest'
import { escalationValue, windowValue } from '../../../../schemas/monitors/monitor-values.ts'

const MINUTE = 60_000

describe('an escalation', () => {
  it.each([
    [
      '15m: team lead, 1h: boss',
      [
        [15 * MINUTE, 'team lead'],
        [60 * MINUTE, 'boss'],
      ],
    ],
    [' 5M:a:b ,', [[5 * MINUTE, 'a:b']]],
    ['', []],
  ] as const)('is read: %s', (text, steps) => {
    const wanted = steps.map(([afterMs, target]) => ({ afterMs, target }))
    expect(escalationValue.parse(text)).toEqual(wanted)
  })

  it.each([['15m:'], ['15m: '], ['15: a'], ['1h: a, 5m: b'], [`15m:${' '.repeat(5000)}x`]])(
    'is refused: %s',
    (text) => {
      expect(escalationValue.safeParse(text).success).toBe(false)
    },
  )
})

it('a window has a limited length', () => {
  expect(windowValue.safeParse(`${' '.repeat(5000)}15m`).success).toBe(false)
  expect(windowValue.parse(' 15M ')).toBe(15 * MINUTE)
})
