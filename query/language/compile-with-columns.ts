// A search compiled to its end: the columns that `transpose` makes are asked for first, one
// transpose after the other.
import { columnsQuery, compileSearch } from './compile-search.ts'
import type { CompiledSearch } from './compiled.ts'
import { MAX_STAGES } from './parse/input.ts'
import type { SearchInput } from './search-input.ts'

type ColumnsQuery = NonNullable<ReturnType<typeof columnsQuery>>

/** `ask` runs a statement; its rows are { name }. Not called for a text without `transpose`. */
export async function compileWithColumns(
  input: SearchInput,
  ask: (statement: ColumnsQuery) => Promise<readonly { readonly name: string }[]>,
): Promise<CompiledSearch> {
  const transposed: (readonly string[])[] = []
  while (transposed.length <= MAX_STAGES) {
    const statement = columnsQuery({ ...input, transposed })
    if (!statement) break
    const rows = await ask(statement)
    transposed.push(rows.map(({ name }) => name))
  }
  return compileSearch({ ...input, transposed })
}
