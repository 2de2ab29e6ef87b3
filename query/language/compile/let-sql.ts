// A value that an expression needs more than once, worked out and written once.
import type { CompileContext } from './compile-context.ts'

/** `body` over a name for the value. */
export function letSql(
  value: string,
  body: (name: string) => string,
  { subSelects }: Pick<CompileContext, 'subSelects'>,
): string {
  if (/^[a-z]\w*$/.test(value)) return body(value)
  const name = subSelects.name()
  return `arrayMap(${name} -> ${body(name)}, [${value}])[1]`
}
