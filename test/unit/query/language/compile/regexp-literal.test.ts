import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { regexpLiteral } from '../../../../../query/language/compile/regexp/regexp-literal.ts'
import { series } from '../../../../support/run/tier.ts'

const RUNS = series(830, 5000)

describe('the literal of a regular expression', () => {
  it.each([
    ['retries$', 'retries', true, false, true],
    ['^GET ', 'GET ', true, true, false],
    ['^abc$', 'abc', true, true, true],
    ['a\\.b\\.c', 'a.b.c', true, false, false],
    ['after \\d+ retries', ' retries', false, false, false],
    ['order (?:now )+placed!', 'placed!', false, false, false],
    ['colou?rs', 'colo', false, false, false],
    ['abc*defg+h', 'defg', false, false, false],
    ['[abc]xyz]?', 'xyz', false, false, false],
    ['x{2}yyyy{3}zz', 'yyy', false, false, false],
  ])('%s is %s', (regexp, text, isWhole, isAtStart, isAtEnd) => {
    expect(regexpLiteral(regexp)).toEqual({ text, isWhole, isAtStart, isAtEnd })
  })

  it.each([
    'a|bcd',
    '(?i)abc',
    'ab',
    '.*',
    '\\Qabc\\E',
    '\\x{61}bcd',
    '(abc)',
    '[abc]',
    '',
    '$',
    '^',
  ])('%s has none that is known', (regexp) => {
    expect(regexpLiteral(regexp)).toBeUndefined()
  })

  it('stands in every text that matches, and is all where it is called so', () => {
    const piece = fc.constantFrom(
      ...['abc', 'b', 'c', '\\.', '\\d', '[ab]', '[^c]', '[]a]', '.', '(bc)', '(?:ab)', '(a', ')'],
      ...['?', '*', '+', '{2}', '{0,1}', '^', '$', '\\b', '\\$', '\\[', '-', ' '],
    )
    const text = fc.string({ unit: fc.constantFrom(...'abc.1]$[- '), maxLength: 12 })
    let known = 0
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 7 }),
        fc.array(text, { minLength: 20 }),
        (pieces, texts) => {
          const regexp = pieces.join('')
          const literal = regexpLiteral(regexp)
          const compiled = compileJs(regexp)
          if (!literal || !compiled) return
          known += 1
          for (const searched of [...texts, ...texts.map((some) => some + literal.text)]) {
            const isMatch = compiled.test(searched)
            if (isMatch) expect(searched).toContain(literal.text)
            if (literal.isWhole) expect(isMatch).toBe(plainly(literal, searched))
          }
        },
      ),
      { numRuns: RUNS },
    )
    expect(known).toBeGreaterThan(0.06 * RUNS)
  })
})

function plainly(
  { text, isAtStart, isAtEnd }: { text: string; isAtStart: boolean; isAtEnd: boolean },
  searched: string,
): boolean {
  if (isAtStart && isAtEnd) return searched === text
  if (isAtStart) return searched.startsWith(text)
  return isAtEnd ? searched.endsWith(text) : searched.includes(text)
}

function compileJs(regexp: string): RegExp | undefined {
  try {
    // RE2 takes a ] that closes nothing, and one that stands first in a class, as a plain
    // character.
    return new RegExp(regexp.replaceAll('[]a]', '[\\]a]'), 's')
  } catch {
    return undefined
  }
}
