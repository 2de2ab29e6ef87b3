import { NEW_EVENTS } from '../../../../schemas/monitors/monitor.ts'
import { parseRule } from '../../../../schemas/monitors/rule.ts'
import { findMisfit } from '../../../../schemas/monitors/rule-needs.ts'
import type { Misfit } from '../objects/object-extras.ts'

/** What a monitor's rule does not go together with, as the form has them. */
export function findMonitorMisfit(read: (argument: string) => string): Misfit | undefined {
  const text = read('rule').trim() || 'exists'
  const rule = parseRule(text)
  if (rule === undefined) return undefined
  const window = read('window').trim().toLowerCase()
  return findMisfit(rule, text, {
    isOfNewEvents: window === '' || window === NEW_EVENTS,
    groupBy: read('groupBy').trim(),
    openAfter: Number(read('openAfter') || 1),
  })
}
