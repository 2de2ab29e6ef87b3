// A search compiled while its place in the queue is held: the columns that `transpose` makes are
// asked of the store.
import { compileWithColumns } from '../language/compile-with-columns.ts'
import type { CompiledSearch } from '../language/compiled.ts'
import type { SearchInput } from '../language/search-input.ts'
import { collect } from '../search/collect.ts'
import type { TurnStore } from './endpoint.ts'

export function compileInTurn(input: SearchInput, store: TurnStore): Promise<CompiledSearch> {
  return compileWithColumns(input, async (statement) => {
    const rows = await collect(store.stream(statement))
    return rows.map(([name]) => ({ name: String(name) }))
  })
}
