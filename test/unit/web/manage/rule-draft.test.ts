import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OPERATORS, parseRule } from '../../../../schemas/monitors/rule.ts'
import {
  FIRST_RULES,
  findDraftFault,
  printDraft,
  type RuleDraft,
  readDraft,
} from '../../../../web/console/manage/monitors/rule-draft.ts'
import { sayRule } from '../../../../web/console/manage/monitors/say-rule.ts'

const draft: fc.Arbitrary<RuleDraft> = fc
  .record({
    kind: fc.constantFrom(...Object.values(FIRST_RULES)).map(({ kind }) => kind),
    operator: fc.constantFrom(...OPERATORS),
    value: fc.constantFrom('', '5', '-0.50', '1e3', 'x', '1,000', '007'),
    column: fc.constantFrom('', 'count', 'Time Taken', 'a > b', 'new value', 'Time '),
    isEvery: fc.boolean(),
  })
  .map((one) => {
    const first = FIRST_RULES[one.kind]
    const isCompared = first.value !== ''
    const isNamed = one.kind === 'column' || one.kind === 'newValue'
    const isNew = one.kind === 'newShape' || one.kind === 'newValue'
    return {
      kind: one.kind,
      ...(isCompared
        ? { operator: one.operator, value: one.value }
        : { operator: first.operator, value: '' }),
      column: isNamed ? one.column : '',
      isEvery: isNew && one.isEvery,
    }
  })

describe('the fields of a rule', () => {
  it('are read back as they were printed, typed by half or wrong as well', () => {
    fc.assert(
      fc.property(draft, (one) => {
        expect(readDraft(printDraft(one))).toEqual(one)
      }),
    )
  })

  it('are at fault exactly where the server does not read them', () => {
    fc.assert(
      fc.property(draft, (one) => {
        const isRead = parseRule(printDraft(one).trim()) !== undefined
        expect(findDraftFault(one) === undefined).toBe(isRead)
      }),
    )
  })

  it.each(['count', 'exist', 'count > 5%', 'change > 5', 'new shapes', 'column >'])(
    'do not show %s, which stays a text',
    (text) => expect(readDraft(text)).toBeUndefined(),
  )

  it('keep a number as it was typed', () => {
    expect(readDraft('count >= 007')).toMatchObject({ value: '007' })
    expect(readDraft('column Time Taken > 1.50')).toMatchObject({ value: '1.50' })
  })
})

it.each([
  ['exists', 'there is a row'],
  ['count > 2000', 'there are more than 2,000 rows'],
  ['column Time Taken >= 1.5', 'Time Taken of a row is at or above 1.5'],
  ['change < -50%', 'the number of rows against the week before is below −50 %'],
  ['every new value city', 'a new value of city comes, however seldom'],
])('%s is said in words', (text, words) => {
  const rule = parseRule(text)
  expect(rule && sayRule(rule)).toBe(words)
})
