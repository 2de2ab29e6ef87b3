// The table of `logeye reconcile`: events and bytes of each place.
import type { Compared, VolumeRow } from './compare-volumes.ts'
import { HOUR_MS } from './read-counted.ts'
import type { Amount } from './reported-hours.ts'

export function printVolumes({ by, rows, notes, isBad }: Compared): string {
  const hasRemoved = rows.some(({ removed }) => removed.events > 0)
  const head = [by === 'hour' ? 'hour (UTC)' : 'day (UTC)', 'datastream received']
  if (hasRemoved) head.push('removed')
  head.push('counters', 'reported', 'portal', '')
  const table = [head, ...rows.map((row) => cellsOf(row, by, hasRemoved))]
  const widths = head.map((_, at) => Math.max(...table.map((cells) => cells[at]?.length ?? 0)))
  const lines = table.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const end = rows.length === 0 ? 'nothing was stored in these days' : undefined
  const verdict = isBad ? 'NOT the same everywhere' : 'the same everywhere, to the byte'
  return [...(end === undefined ? lines : [end]), ...notes, verdict].join('\n')
}

/** Cells are `events / bytes`. */
function cellsOf(row: VolumeRow, by: 'hour' | 'day', hasRemoved: boolean): string[] {
  const time = new Date(row.hour * HOUR_MS).toISOString()
  const amounts = [row.received, ...(hasRemoved ? [row.removed] : []), row.counted]
  const all = [...amounts, row.reported, row.portal].map(printAmount)
  return [by === 'hour' ? `${time.slice(0, 13)}:00` : time.slice(0, 10), ...all, row.state]
}

function printAmount(amount: Amount | undefined): string {
  return amount === undefined ? '-' : `${amount.events} / ${amount.bytes}`
}
