// What people write who come from other products: each query has its error or its warnings, word
// for word.
import { describe, expect, it } from 'vitest'
import { printReading } from '../../../support/cases/print-reading.ts'
import { readCases } from '../../../support/cases/read-cases.ts'

describe('queries of other languages', () => {
  const cases = readCases('language/foreign.txt')

  it('are read whole', () => {
    expect(cases).toHaveLength(303)
  })

  it.each(cases)('$name', ({ input, result }) => {
    expect(printReading(input)).toBe(result)
  })

  it('are an error or warn, but for those that are right here', () => {
    const right = cases.filter(({ result }) => result === 'OK').map(({ input }) => input)
    expect(right).toEqual([
      ...['* | order by timestamp desc', '* | count', 'user.name:admin'],
      ...['(Level = error) or warn', '(disk full) or timeout', 'disk (full or timeout)'],
      ...['size > "10KB"', 'Logger = com.shop.*', 'Status = 5.0', 'Status = "404"'],
      ...['10:05:* and arn:aws:* and http://x/*', 'timestamp > 1795564800000'],
    ])
  })
})
