import { describe, expect, it } from 'vitest'
import { HIDING } from '../../../../infra/metastore/rights/masks-mark.ts'
import { maySee, type Sight, seesAsMuch } from '../../../../infra/metastore/rights/may-see.ts'
import { bothSeen } from '../../../../schemas/monitors/seen.ts'

const SEEN = { logs: '1-3,7', masks: ['email'], hiding: HIDING }
const sight = (visible: 'all' | readonly number[], ...masks: string[]): Sight => ({
  visible: visible === 'all' ? 'all' : new Set(visible),
  masks,
})

describe('stored rows', () => {
  it.each<[boolean, string, Sight]>([
    [true, 'views all logs', sight('all')],
    [true, 'views each log that was read', sight([1, 2, 3, 7, 9])],
    [true, 'has the mask that hid values then', sight([1, 2, 3, 7], 'email')],
    [false, 'does not view one of the logs', sight([1, 2, 3])],
    [false, 'has a mask that hid nothing then', sight('all', 'email', 'phone')],
  ])('are shown (%s) to a user who %s', (isShown, _, one) => {
    expect(maySee(SEEN, one)).toBe(isShown)
  })

  it('of a program that hid less are shown to unmasked users alone', () => {
    const before = { ...SEEN, hiding: HIDING - 1 }
    expect(maySee(before, sight('all'))).toBe(true)
    expect(maySee(before, sight('all', 'email'))).toBe(false)
  })

  it('without a note of what they were made of are shown to those who see everything', () => {
    expect(maySee(null, sight('all'))).toBe(true)
    expect(maySee(null, sight([1]))).toBe(false)
    expect(maySee(null, sight('all', 'email'))).toBe(false)
  })

  it('of two runs are those of a user who may see both', () => {
    const other = { logs: '5', masks: ['email', 'phone'], hiding: HIDING - 1 }
    const both = { logs: '1-3,5,7', masks: ['email'], hiding: HIDING - 1 }
    expect(bothSeen(SEEN, other)).toEqual(both)
    expect(bothSeen(null, other)).toBe(null)
  })
})

it.each<[boolean, Sight, Sight]>([
  [true, sight('all'), sight('all')],
  [true, sight('all', 'email'), sight('all', 'email')],
  [true, sight([1, 2, 3]), sight([1, 2])],
  [true, sight('all'), sight([1], 'email')],
  [false, sight([1]), sight([1, 2])],
  [false, sight([1, 2]), sight('all')],
  [false, sight('all', 'email'), sight('all')],
])('a user sees as much as before (%s)', (isSo, now, before) => {
  expect(seesAsMuch(now, before)).toBe(isSo)
})
