import { BASE } from '../../../shared/address.ts'
import { printCount } from '../../../shared/format.ts'
import { printLength } from '../parts/print.ts'
import { TableBox } from '../parts/table-box.tsx'
import type { SlowSearch } from './health-rows.ts'
import { HEALTH_TEXTS as T } from './texts.ts'

export function SlowSearches({ searches }: { readonly searches: readonly SlowSearch[] }) {
  if (searches.length === 0) return <p class="soft">{T.noSlow}</p>
  return (
    <TableBox label={T.slow}>
      <thead>
        <tr>
          <th class="number">{T.took}</th>
          <th class="number">{T.times}</th>
          <th>{T.user}</th>
          <th>{T.query}</th>
        </tr>
      </thead>
      <tbody>
        {searches.map(({ query, user, ms, times }) => (
          <tr key={`${user} ${query}`}>
            <td class="number">{printLength(ms)}</td>
            <td class="number">{printCount(times)}</td>
            <td>{user}</td>
            <td class="objects-wide">
              <a href={`${BASE}/?${new URLSearchParams({ query })}`}>
                <code>{query}</code>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  )
}
