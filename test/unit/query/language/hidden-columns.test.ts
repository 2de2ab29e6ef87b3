// A key of an event that is named like a built-in column: the built-in one is meant, which is said
// (search-language#built-in-columns).
import { expect, it } from 'vitest'
import { readQuery } from '../../../../query/language/read-query.ts'
import { SAMPLE_COLUMNS, SAMPLE_LOGS } from '../../../support/data/sample-logs.ts'

const COLUMNS = new Map(SAMPLE_COLUMNS)
COLUMNS.set(3, [
  ...(SAMPLE_COLUMNS.get(3) ?? []),
  { logId: 3, name: 'app', kind: 'text', position: 10 },
  { logId: 3, name: 'Size', kind: 'number', position: 11 },
  { logId: 3, name: 'message', kind: 'text', position: 12 },
])

it.each([
  ['app = cart', 'column.app = cart'],
  ['size > 5 in log.orders', 'column.size > 5 in log.orders'],
  ['* | count group by app', '* | count group by column.app'],
  ['* | where app = cart', '* | where column.app = cart'],
  ['* | list timestamp, app', '* | list timestamp, column.app'],
  ['* | order by size', '* | order by column.size'],
])('%s warns', (text, replacement) => {
  const { warnings } = readQuery({ text, visibleLogs: SAMPLE_LOGS, columns: COLUMNS })
  expect(warnings).toMatchObject([{ code: 'query.hidden_column', replacement }])
})

it.each([
  'app = cart in log.access',
  'column.app = cart',
  'event.app = cart',
  'message contains cart',
  '* | count as app group by host | where app > 5',
  '* | datastream | group by app',
])('%s says nothing', (text) => {
  expect(readQuery({ text, visibleLogs: SAMPLE_LOGS, columns: COLUMNS }).warnings).toEqual([])
})
