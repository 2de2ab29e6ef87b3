// What a rule asks of the other settings of its monitor. Pure.
import { isNewKind, type Rule } from './rule.ts'

export type Misfit = {
  readonly argument: 'window' | 'groupBy' | 'openAfter'
  readonly reason: string
}

type Beside = {
  /** It reads what is new since the last run, and no length of time. */
  readonly isOfNewEvents: boolean
  readonly groupBy: string
  readonly openAfter: number
}

/** `text`: the rule as it is written. Undefined: they go together. */
export function findMisfit(rule: Rule, text: string, beside: Beside): Misfit | undefined {
  const { isOfNewEvents, groupBy, openAfter } = beside
  const { kind } = rule
  if ((kind === 'silence' || kind === 'change') && isOfNewEvents)
    return { argument: 'window', reason: `the rule ${kind} needs a time such as 15m` }
  if ((kind === 'silence' || kind === 'unusual') && groupBy !== '')
    return { argument: 'groupBy', reason: `the rule ${kind} has one alert a log by itself` }
  if (!isNewKind(rule)) return undefined
  if (!isOfNewEvents) return { argument: 'window', reason: `the rule ${text} needs the window new` }
  if (groupBy !== '')
    return { argument: 'groupBy', reason: `the rule ${text} tells all that is new at once` }
  return openAfter > 1
    ? { argument: 'openAfter', reason: 'at the second run it is not new any more' }
    : undefined
}
