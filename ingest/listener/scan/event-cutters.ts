// What cuts the lines of an account into events of several lines; most accounts have none.
import type { ListenerAccount } from '../../../schemas/listener-account.ts'
import { PatternFault } from '../../patterns/language/pattern.ts'
import { TemplateMatcher } from '../../patterns/match/template-matcher.ts'
import { lineTemplate } from '../../split/template/account-templates.ts'

/** A version of an account never changes. Its matcher is the listener's own: it is given a bound of
 *  work, which the writer's must not have. */
const cutters = new WeakMap<ListenerAccount, TemplateMatcher | 'none'>()

/** undefined: each line is an event. */
export function eventCutter(account: ListenerAccount): TemplateMatcher | undefined {
  let cutter = cutters.get(account)
  if (cutter === undefined) {
    cutter = makeCutter(account) ?? 'none'
    cutters.set(account, cutter)
  }
  return cutter === 'none' ? undefined : cutter
}

function makeCutter(account: ListenerAccount): TemplateMatcher | undefined {
  const template = lineTemplate(account)
  if (template === undefined) return undefined
  try {
    const matcher = new TemplateMatcher(template.patterns)
    return matcher.matchers.some(({ program }) => program.takesLines) ? matcher : undefined
  } catch (error) {
    if (error instanceof PatternFault) return undefined
    throw error
  }
}
