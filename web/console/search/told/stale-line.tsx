import { sayTimes } from '../../time/say-times.ts'
import { events, table } from '../run/search-run.ts'
import { T } from '../texts.ts'

/** After a search that failed: whose result is still in view. */
export function StaleLine({ zone }: { readonly zone: string | undefined }) {
  const { value: found, error } = events.state.value
  const { value: rows, error: tableFault } = table.state.value
  if (error !== undefined && found !== undefined && found.events.length > 0) {
    const { query, interval, start, end } = found.asked
    return (
      <p class="search-stale" role="status">
        {T.stale} <code>{query}</code> · {sayTimes({ interval, start, end }, zone)}
      </p>
    )
  }
  if (tableFault === undefined || rows === undefined) return null
  return (
    <p class="search-stale" role="status">
      {T.staleTable}
    </p>
  )
}
