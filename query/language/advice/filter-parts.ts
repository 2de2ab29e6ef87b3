// The parts of a filter that all must be met, each within its scopes. Pure.
import type { Filter, Scope } from '../tree.ts'

export type FilterPart = {
  readonly leaf: Filter
  readonly scopes: readonly Scope[]
}

export function partsOf(filter: Filter, scopes: readonly Scope[] = []): readonly FilterPart[] {
  switch (filter.kind) {
    case 'and':
      return filter.operands.flatMap((operand) => partsOf(operand, scopes))
    case 'scoped':
      return partsOf(filter.operand, [...scopes, filter.scope])
    default:
      return [{ leaf: filter, scopes }]
  }
}

export function withinScopes(filter: Filter, scopes: readonly Scope[]): Filter {
  const { start, end } = filter
  return scopes.reduceRight<Filter>(
    (operand, scope) => ({ kind: 'scoped', operand, scope, start, end }),
    filter,
  )
}

/** `by` undefined: it is left out. */
export function replacePart(filter: Filter, leaf: Filter, by: Filter | undefined): Filter {
  return replaced(filter, leaf, by) ?? { kind: 'everything', start: 0, end: 0 }
}

function replaced(filter: Filter, leaf: Filter, by: Filter | undefined): Filter | undefined {
  if (filter === leaf) return by
  switch (filter.kind) {
    case 'and': {
      const operands = filter.operands.flatMap((operand) => replaced(operand, leaf, by) ?? [])
      return operands.length > 1 ? { ...filter, operands } : operands[0]
    }
    case 'scoped':
      return { ...filter, operand: replacePart(filter.operand, leaf, by) }
    default:
      return filter
  }
}

/** Without what was said about one scope. */
export function withoutScope(filter: Filter, scope: Scope): Filter {
  switch (filter.kind) {
    case 'and':
      return { ...filter, operands: filter.operands.map((operand) => withoutScope(operand, scope)) }
    case 'scoped': {
      const operand = withoutScope(filter.operand, scope)
      return filter.scope === scope ? operand : { ...filter, operand }
    }
    default:
      return filter
  }
}
