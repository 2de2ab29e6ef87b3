import type { Rule } from '../../../../schemas/monitors/rule.ts'
import { RULE_TEXTS } from './rule-texts.ts'

const T = RULE_TEXTS.said

/** `there are more than 20 rows`. */
export function sayRule(rule: Rule): string {
  switch (rule.kind) {
    case 'exists':
    case 'silence':
    case 'unusual':
      return T[rule.kind]
    case 'count':
      return T.rows(RULE_TEXTS.counted[rule.operator], printNumber(rule.value))
    case 'column':
      return T.column(rule.column, RULE_TEXTS.compared[rule.operator], printNumber(rule.value))
    case 'change':
      return T.change(RULE_TEXTS.compared[rule.operator], printNumber(rule.value))
    case 'newShape':
      return `${T.newShape}${rule.isEvery ? T.every : ''}`
    case 'newValue':
      return `${T.newValue(rule.column)}${rule.isEvery ? T.every : ''}`
  }
}

function printNumber(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 6 }).replace('-', '−')
}
