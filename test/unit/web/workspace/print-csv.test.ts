import { expect, it } from 'vitest'
import { printCsv } from '../../../../web/workspace/usage/print-csv.ts'

it('the CSV of usage has no cell that a spreadsheet takes for a formula', () => {
  const row = { time: '2026-03-01T00:00:00Z', deploymentId: 'd1', events: 1, bytes: 2 }
  const csv = printCsv([{ ...row, source: '@SUM(A1)' }], new Map([['d1', '=1+1,2']]))
  expect(csv.split('\r\n')[1]).toBe(`${row.time},d1,"'=1+1,2",'@SUM(A1),1,2`)
})
