// Rules as a form has them, and as commands take them. Pure.
import { DETECTORS, type Detector } from '../../../../schemas/masking/mask-rule.ts'
import { ENTRY_SEPARATOR } from '../objects/form-fields.ts'

export const ACTIONS = ['hash', 'cut', 'replace'] as const
type Action = (typeof ACTIONS)[number]

export type RuleDraft = {
  readonly action: Action
  /** Of `replace`. */
  readonly by: string
  readonly target: Detector | 'column' | 'pattern'
  /** Name of the column, or the pattern. */
  readonly text: string
}

/** `hasAction`: the rules of a listener; those of a policy hide and nothing else. */
export function parseRules(value: string, hasAction: boolean): RuleDraft[] {
  if (value.trim() === '') return []
  return value.split(ENTRY_SEPARATOR).map((rule) => parseRule(rule.trim(), hasAction))
}

function parseRule(rule: string, hasAction: boolean): RuleDraft {
  const [verb = ''] = rule.split(' ')
  const action = (hasAction ? ACTIONS.find((one) => one === verb) : undefined) ?? 'hash'
  const rest = hasAction ? rule.slice(verb.length).trim() : rule
  const by = action === 'replace' ? (rest.split(' ')[0] ?? '') : ''
  const target = rest.slice(by.length).trim()
  const [kind = ''] = target.split(' ')
  const detector = DETECTORS.find((one) => one === kind)
  if (detector !== undefined) return { action, by, target: detector, text: '' }
  return {
    ...{ action, by, text: target.slice(kind.length).trim() },
    target: kind === 'pattern' ? 'pattern' : 'column',
  }
}

export function printRule({ action, by, target, text }: RuleDraft, hasAction: boolean): string {
  const isNamed = target === 'column' || target === 'pattern'
  const words = [
    ...(hasAction ? [action] : []),
    ...(hasAction && action === 'replace' ? [by.trim()] : []),
    target,
    // Names of columns are kept in small letters.
    ...(isNamed ? [target === 'column' ? text.trim().toLowerCase() : text.trim()] : []),
  ]
  return words.join(' ')
}

export function printRules(rules: readonly RuleDraft[], hasAction: boolean): string {
  return rules.map((rule) => printRule(rule, hasAction)).join(ENTRY_SEPARATOR)
}
