// Masks replace the table and nothing else: without masks no text of the SQL and no parameter is
// another one, and with masks no text of theirs stands in the SQL.
import { expect, it } from 'vitest'
import { compileSearch } from '../../../../../query/language/compile-search.ts'
import { readViewMasks } from '../../../../../schemas/masking/view-masks.ts'
import { printSql, readCompiledCases } from '../../../../support/cases/compiled-cases.ts'
import { makeSampleWorld } from '../../../../support/data/sample-events.ts'
import { searchInput } from '../../../../support/store/run-compiled.ts'

const SAMPLE = makeSampleWorld()
const MASKS = readViewMasks([
  "column zqxj'`{p0:String}",
  'column items[].zqxj',
  'pattern zqxj-{digit:3}',
])
/** They ask the store for names first. */
const CASES = readCompiledCases().filter(({ input }) => !/transpose/i.test(input))

it.each(CASES)('$name: the SQL without masks is as it was', ({ input, sql }) => {
  const asked = searchInput(input, SAMPLE)
  expect(printSql(compileSearch(asked))).toBe(sql)
  expect(printSql(compileSearch({ ...asked, masks: [] }))).toBe(sql)
  const masked = compileSearch({ ...asked, masks: MASKS }).sql
  expect(masked).not.toContain('zqxj')
  expect(masked).not.toMatch(/FROM events WHERE|columns\.`/)
})
