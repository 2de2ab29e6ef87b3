import type { TableAnswer } from '../../../../schemas/search-json/answers.ts'
import { printShort } from '../../../shared/format.ts'
import { numberOf } from '../result-table.tsx'
import { T } from '../texts.ts'
import './result-chart.css'

const MOST = 60

/** Each row a bar, each column of numbers a colour: as calculated, nothing smoothed. */
export function ResultChart({ table }: { readonly table: TableAnswer }) {
  const rows = table.rows.slice(0, MOST)
  const numbers = table.columns
    .map((name, at) => ({ name, at }))
    .filter(({ at }) => rows.length > 0 && rows.some((row) => numberOf(row[at]) !== undefined))
    .filter(({ at }) => rows.every((row) => !row[at] || numberOf(row[at]) !== undefined))
  if (numbers.length === 0) return <p class="result-chart">{T.noNumbers}</p>
  const names = table.columns.map((_, at) => at).filter((at) => !numbers.some((it) => it.at === at))
  const amountOf = (row: TableAnswer['rows'][number], at: number) => numberOf(row[at]) ?? 0
  const most = Math.max(1e-9, ...rows.flatMap((row) => numbers.map(({ at }) => amountOf(row, at))))
  return (
    <section class="result-chart" aria-label={T.tabs.chart} tabIndex={0}>
      <p class="row">
        {numbers.map(({ name }, at) => (
          <span key={name} class="result-key">
            <span class={`result-dot series-${(at % 8) + 1}`} /> {name}
          </span>
        ))}
      </p>
      <dl>
        {rows.map((row, index) => {
          const name = names.map((at) => row[at] ?? '–').join(' · ')
          return (
            <div key={`${index} ${name}`} class="result-bar-row">
              <dt title={name}>{name}</dt>
              <dd>
                {numbers.map(({ name: column, at }, series) => (
                  <span key={column} class="result-bar-line">
                    <span
                      class={`result-bar series-${(series % 8) + 1}`}
                      style={{ width: `${Math.max(0, (80 * amountOf(row, at)) / most)}%` }}
                    />
                    <span class="tabular">{row[at] ? printShort(amountOf(row, at)) : '–'}</span>
                  </span>
                ))}
              </dd>
            </div>
          )
        })}
      </dl>
      {table.rows.length > MOST && <p class="soft">{T.moreRows(String(MOST))}</p>}
    </section>
  )
}
