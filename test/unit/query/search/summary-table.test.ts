import { describe, expect, it } from 'vitest'
import { SummaryTable } from '../../../../query/search/print/summary-table.ts'
import { compileDateFormat } from '../../../../schemas/time/date-format.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'

const style = {
  dateFormat: compileDateFormat('yyyy-MM-dd HH:mm:ss'),
  zone: timeZone('America/New_York'),
}

function print(cell: 'text' | 'number' | 'date', value: unknown) {
  const table = new SummaryTable([{ name: 'x', cell }], style)
  table.add([value])
  return table.finish().rows[0]?.[0]
}

describe('cells of a summary table', () => {
  it.each([
    ['text', '1.10', '1.10'],
    ['text', null, ''],
    ['text', undefined, ''],
    ['number', 0, '0'],
    ['number', 0.1 + 0.2, '0.3'],
    ['number', 1 / 3, '0.333333333333333'],
    ['number', 2 / 3, '0.666666666666667'],
    ['number', 1e21, '1e+21'],
    ['number', '18446744073709551615', '18446744073709551615'],
    ['number', null, ''],
    ['date', '1780000000000', '2026-05-28 16:26:40'],
    ['date', '1780000000120', '2026-05-28 16:26:40.120'],
    ['date', 1780000000000, '2026-05-28 16:26:40'],
    ['date', null, ''],
  ] as const)('prints the %s %j as %j', (cell, value, expected) => {
    expect(print(cell, value)).toBe(expected)
  })

  it('keeps the names and the order of the columns', () => {
    const table = new SummaryTable(
      [
        { name: 'time', cell: 'date' },
        { name: 'count', cell: 'number' },
      ],
      style,
    )
    table.add(['1780000000000', '12'])
    expect(table.finish()).toEqual({
      columns: ['time', 'count'],
      rows: [['2026-05-28 16:26:40', '12']],
    })
    expect(table.rowCount).toBe(1)
  })
})
