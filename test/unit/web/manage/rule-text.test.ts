import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DETECTORS, parseMaskRule } from '../../../../schemas/masking/mask-rule.ts'
import {
  ACTIONS,
  parseRules,
  printRules,
  type RuleDraft,
} from '../../../../web/console/manage/privacy/rule-text.ts'

const name = fc.stringMatching(/^[a-z]{1,8}(\.[a-z]{1,8})?$/)
const draft = (hasAction: boolean): fc.Arbitrary<RuleDraft> =>
  fc
    .record({
      action: hasAction ? fc.constantFrom(...ACTIONS) : fc.constant('hash' as const),
      by: fc.stringMatching(/^[*x]{1,5}$/),
      target: fc.constantFrom(...DETECTORS, 'column' as const, 'pattern' as const),
      text: name,
    })
    .map(({ action, by, target, text }) => ({
      ...{ action, target },
      by: action === 'replace' ? by : '',
      text: target === 'column' || target === 'pattern' ? text : '',
    }))

it.each([true, false])('rules are read back as they were printed (with actions: %s)', (has) => {
  fc.assert(
    fc.property(fc.array(draft(has), { maxLength: 5 }), (rules) => {
      expect(parseRules(printRules(rules, has), has)).toEqual(rules)
    }),
  )
})

it('the server reads what is printed', () => {
  fc.assert(
    fc.property(draft(true), (rule) => {
      const long = rule.target === 'pattern' ? { ...rule, text: `KD-${rule.text}` } : rule
      expect(parseMaskRule(printRules([long], true))).toBeTypeOf('object')
    }),
  )
})

it('a pattern keeps its spaces, and nothing is no rule', () => {
  expect(parseRules('replace *** pattern KD {digit:6}', true)).toEqual([
    { action: 'replace', by: '***', target: 'pattern', text: 'KD {digit:6}' },
  ])
  expect(parseRules('', true)).toEqual([])
})
