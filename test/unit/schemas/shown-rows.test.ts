import { expect, it } from 'vitest'
import { shownRows } from '../../../schemas/dashboards/shown-rows.ts'

const rowsOf = (...names: string[]) => ({
  columns: names.map((name) => ({ name, type: 'text' as const })),
  rows: [names.map((name) => `of ${name}`)],
  hasMore: false,
})

it('shows of whole events when, where and what', () => {
  const whole = rowsOf('timestamp', 'log', 'folder', 'host', 'source', 'message', 'Status', 'URL')
  const { columns, rows } = shownRows('eventList', whole)
  expect(columns.map(({ name }) => name)).toEqual(['timestamp', 'log', 'host', 'message'])
  expect(rows).toEqual([['of timestamp', 'of log', 'of host', 'of message']])
})

it('leaves columns that a query has chosen, and tables, as they are', () => {
  const chosen = rowsOf('timestamp', 'log', 'host', 'message', 'Status')
  expect(shownRows('eventList', chosen)).toBe(chosen)
  const table = rowsOf('timestamp', 'log', 'folder', 'host', 'source', 'message')
  expect(shownRows('table', table)).toBe(table)
})
