// The search language evaluated over an array of events. Nothing of it is the product's, neither
// its parser nor its compiler: the property tests compare both.
import { parseQuery } from '../parse/parse-query.ts'
import { evaluateQuery } from '../rows.ts'
import { cellText } from '../values.ts'
import type { World } from './model.ts'

export type Answer = {
  readonly kind: 'events' | 'table'
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Everything is printed as the search call prints cells. */
export function evaluate(text: string, world: World): Answer {
  const relation = evaluateQuery(parseQuery(text, world), world)
  const shown = relation.shown.filter(
    ({ isOptional, read }) => !isOptional || relation.rows.some((row) => read(row) !== null),
  )
  return {
    kind: relation.kind,
    columns: shown.map(({ title }) => title),
    rows: relation.rows.map((row) =>
      shown.map(({ read, print }) => (print ? print(row) : cellText(read(row), world.zone))),
    ),
  }
}
