// Every example query on the sample events: its SQL with parameters and its first rows stand in
// test/cases/language/compiled.txt, and all rows are those of the reference evaluator.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../../infra/store/port.ts'
import {
  type CompiledCase,
  exampleQueries,
  printRows,
  printSql,
  readCompiledCases,
  writeCompiledCases,
} from '../../support/cases/compiled-cases.ts'
import { makeSampleWorld } from '../../support/data/sample-events.ts'
import { storeWorld } from '../../support/reference/random/random-world.ts'
import { compareAnswers, differenceOf } from '../../support/reference/run/compare.ts'
import { evaluate } from '../../support/reference/run/evaluate.ts'
import { compileText, runCompiled, runForms } from '../../support/store/run-compiled.ts'
import { openForTests, STORE_VARIANTS } from '../../support/store/store-variants.ts'

const SAMPLE = makeSampleWorld()
const IS_WRITTEN = process.env.LOGEYE_WRITE_CASES === '1'

describe.each(STORE_VARIANTS)('examples on $name', ({ open }) => {
  let store: Store

  openForTests(open, async (opened) => {
    store = opened
    await storeWorld(store, SAMPLE.world.events, 0)
  })

  if (IS_WRITTEN)
    it('are written', { timeout: 300_000 }, async () => {
      const cases: CompiledCase[] = []
      for (const { name, input } of exampleQueries()) {
        const outcome = await compareAnswers(store, input, SAMPLE)
        if (outcome.kind !== 'same')
          process.stdout.write(`${input}\n${outcome.kind} ${outcome.text}\n`)
        if (outcome.kind === 'unsupported') continue
        const rows = printRows(await runCompiled(store, input, SAMPLE))
        cases.push({ name, input, sql: printSql(await compileText(store, input, SAMPLE)), rows })
      }
      writeCompiledCases(cases)
    })

  it.each(IS_WRITTEN ? [] : readCompiledCases())('$name', async ({ input, sql, rows }) => {
    const { compiled, whole, quick = whole } = await runForms(store, input, SAMPLE)
    expect(printSql(compiled)).toBe(sql)
    expect(printRows(whole)).toBe(rows)
    const expected = evaluate(input, SAMPLE.world)
    expect([differenceOf(expected, whole), differenceOf(expected, quick)]).toEqual([null, null])
  })
})

describe('the case file', () => {
  it('has every example, in order', () => {
    const written = readCompiledCases().map(({ input }) => input)
    expect(written).toEqual(exampleQueries().map(({ input }) => input))
  })
})
