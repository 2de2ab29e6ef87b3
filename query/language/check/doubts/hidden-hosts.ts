// `host`, where events have a key of that name: it is the built-in column, which matters only where
// the two differ (search-language#built-in-columns). Pure.
import type { ColumnRef, Filter, Query, Stage } from '../../tree.ts'

export type HiddenHost = {
  readonly column: ColumnRef
  /** The scopes of the query alone. */
  readonly scopes: Filter
}

/** The first `host` of the filter, or of a stage that reads events. */
export function hiddenHost({ source, stages }: Query): HiddenHost | undefined {
  if (source.kind === 'transaction') return undefined
  const column = columnsIn(source.filter).find(isHost) ?? hostOfStages(stages)
  return column && { column, scopes: scopesOf(source.filter) }
}

/** A key of this name is told of by the store alone. */
export function isHost({ name, origin }: ColumnRef): boolean {
  return origin === 'any' && name.toLowerCase() === 'host'
}

function columnsIn(filter: Filter): readonly ColumnRef[] {
  switch (filter.kind) {
    case 'test':
      return [filter.column]
    case 'not':
    case 'scoped':
      return columnsIn(filter.operand)
    case 'and':
    case 'or':
      return filter.operands.flatMap(columnsIn)
    default:
      return []
  }
}

function hostOfStages(stages: readonly Stage[]): ColumnRef | undefined {
  for (const [at, stage] of stages.entries()) {
    const found = columnsOf(stage).find(isHost)
    if (found !== undefined) return found
    const isBefore = /^(?:where|orderBy|limit|dedup|functions)$/.test(stage.kind)
    if (!isBefore || (stages[at - 1]?.kind === 'functions' && stage.kind !== 'groupBy')) break
  }
  return undefined
}

function columnsOf(stage: Stage): readonly ColumnRef[] {
  switch (stage.kind) {
    case 'where':
      return columnsIn(stage.filter)
    case 'orderBy':
    case 'groupBy':
      return stage.keys.map(({ column }) => column)
    case 'dedup':
      return stage.columns
    case 'functions':
      return stage.functions.flatMap(({ column, condition }) => [
        ...(column === null ? [] : [column]),
        ...(condition === null ? [] : columnsIn(condition)),
      ])
    case 'list':
      return stage.items.map(({ column }) => column)
    default:
      return []
  }
}

/** What is said of anything but logs is left out. */
function scopesOf(filter: Filter): Filter {
  switch (filter.kind) {
    case 'scoped':
      return { ...filter, operand: scopesOf(filter.operand) }
    case 'and':
    case 'or':
      return { ...filter, operands: filter.operands.map(scopesOf) }
    default:
      return { kind: 'everything', start: filter.start, end: filter.end }
  }
}
