// What a monitor's rule says of what was seen, group by group. Pure.
import { compare, type Rule } from '../../../schemas/monitors/rule.ts'

/** By group; '' is the one group of a monitor without. */
export type Counts = ReadonlyMap<string, number>

export type Observation = {
  /** Rows; of `column` those whose number meets it; of `silence` the events of each
   *  log, of `unusual` those of its last full hour, of new kinds those that are new. */
  readonly counts: Counts
  /** Of `unusual`: the logs whose last hour is. */
  readonly unusual?: ReadonlySet<string>
  /** Of `change`: rows of the same window a week before. */
  readonly before?: Counts
}

export type Verdict = { readonly isFailing: boolean; readonly count: number }

/** Of every group that was seen or is among `known`: one that has no row any more counts as 0. */
export function judge(
  rule: Rule,
  { counts, before = new Map(), unusual = new Set() }: Observation,
  known: Iterable<string>,
): ReadonlyMap<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  for (const group of new Set([...counts.keys(), ...before.keys(), ...known])) {
    const count = counts.get(group) ?? 0
    const isFailing =
      rule.kind === 'unusual' ? unusual.has(group) : fails(rule, count, before.get(group) ?? 0)
    verdicts.set(group, { count, isFailing })
  }
  // A log that is no more is not silent.
  if (rule.kind === 'silence')
    for (const group of verdicts.keys())
      if (!counts.has(group)) verdicts.set(group, { count: 0, isFailing: false })
  return verdicts
}

function fails(rule: Exclude<Rule, { kind: 'unusual' }>, count: number, before: number): boolean {
  switch (rule.kind) {
    case 'exists':
    case 'column':
    case 'newShape':
    case 'newValue':
      return count > 0
    case 'count':
      return compare(count, rule)
    case 'change':
      return compare(changeOf(count, before), rule)
    case 'silence':
      return count === 0
  }
}

/** In %; from nothing to something it is infinite. */
function changeOf(count: number, before: number): number {
  if (before > 0) return ((count - before) / before) * 100
  return count === 0 ? 0 : Number.POSITIVE_INFINITY
}
