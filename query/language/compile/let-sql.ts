// A value that an expression needs more than once, worked out and written once.
import type { SubSelects } from './plan/sub-selects.ts'

/** `body` over a name for the value. */
export function letSql(
  value: string,
  body: (name: string) => string,
  { subSelects }: { readonly subSelects: Pick<SubSelects, 'name'> },
): string {
  if (/^[a-z]\w*$/.test(value)) return body(value)
  const name = subSelects.name()
  return `arrayMap(${name} -> ${body(name)}, [${value}])[1]`
}
