// Worked examples of others come out to the cent: test/cases/pricing/worked-examples.txt.
import { describe, expect, it } from 'vitest'
import { quote } from '../../../../portal/pricing/engine/quote.ts'
import { readCases } from '../../../support/cases/read-cases.ts'
import { ANYBODY, makeBook, makeItem } from '../../../support/pricing/small-book.ts'
import { addUp, print, read } from '../../../support/reference/pricing/fraction.ts'

const CASES = readCases('pricing/worked-examples.txt')

function amountOf(currency: string, price: Record<string, unknown>, asked: string): string {
  const transactions = asked.split('+')
  const quantity = transactions.length === 1 ? asked : print(addUp(transactions.map(read)), 2)
  const line = transactions.length === 1 ? { quantity } : { quantity, transactions }
  const book = makeBook([makeItem('thing', [{ currency, ...price }])])
  const outcome = quote(
    book,
    { currency, lines: [{ item: 'thing', ...line }] },
    ANYBODY,
    '2026-02-01',
  )
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.errors))
  return outcome.quote.totals.due
}

describe('worked examples', () => {
  it('are many', () => {
    expect(CASES.length).toBeGreaterThan(40)
    expect(CASES.flatMap(({ result }) => result.split('\n')).length).toBeGreaterThan(90)
  })

  it.each(CASES)('$name', ({ input, result }) => {
    const [, currency = '', price = ''] = /^([A-Z]{3}) (.+)$/.exec(input) ?? []
    const wanted = result.split('\n')
    const got = wanted.map((line) => {
      const [asked = ''] = line.split(':')
      return `${asked}: ${amountOf(currency, JSON.parse(price), asked)}`
    })
    expect(got).toEqual(wanted)
  })
})
