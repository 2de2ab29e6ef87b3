import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asciiPhraseRegexp,
  asciiWordRegexp,
  phraseRegexp,
  wholeExactRegexp,
  wholeRegexp,
  wordRegexp,
} from '../../../../query/language/compile/terms/term-regexp.ts'
import { Input } from '../../../../query/language/parse/input.ts'
import type { Pattern } from '../../../../query/language/tree.ts'
import { series } from '../../../support/run/tier.ts'

// The expressions are RE2's; those used here mean the same in JavaScript once code points are
// written its way.
const toJs = (regexp: string) =>
  new RegExp(regexp.replace(/\\x\{([0-9A-F]+)\}/g, '\\u{$1}').replaceAll('(?s:', '(?:'), 'su')
const patternOf = (word: string): Pattern => {
  const token = new Input(word).token()
  if (token.kind !== 'word') throw new Error('no word')
  return token.pattern
}

describe('the expression of a word', () => {
  it.each([
    [
      'time',
      ['time', 'a time b', 'TIME!', '(time)'],
      ['timeout', 'atime', 'time_', 'time1', 'tıme'],
    ],
    ['time*', ['time', 'timeout', 'x timeouts'], ['atime', 'tim']],
    ['*out', ['timeout', 'out'], ['outer']],
    ['?ime', ['time', 'a lime', '-ime'], ['xtime', 'ime', ' ime']],
    ['tim?', ['time', 'tim!'], ['timex', 'tim', 'tim ']],
    ['?', ['a', 'a b', '-'], ['ab', '']],
    ['a*z', ['az', 'a-b.z', 'a"z'], ['a z', 'a\u001fz']],
    [
      '10.2.3.4',
      ['10.2.3.4', 'ip=10.2.3.4,', '10.2.3.4.5'],
      ['110.2.3.4', '10.2.3.40', '10x2.3.4'],
    ],
    ['/cart/add', ['/cart/add', 'x/cart/add?'], ['/cart/added']],
    ['[ERROR]', ['[error]', 'x[ERROR]x'], ['ERROR']],
    ['größe', ['GRÖSSE größe', 'GRÖßE'], ['GRÖSSE', 'groesse']],
    ['kelvin', ['\u212Aelvin'], ['kelvi']],
    ['short', ['SHORT'], ['\u017Fhort']],
    ['οδοσ', ['ΟΔΟΣ', 'οδοσ'], ['οδος']],
    ['istanbul', ['İstanbul', 'ISTANBUL'], ['ıstanbul']],
    ['日本', ['日本', 'a 日本 b'], ['日本語']],
  ])('%s', (word, found, missed) => {
    const regexp = toJs(wordRegexp(patternOf(word)))
    expect(found.filter((text) => !regexp.test(text))).toEqual([])
    expect(missed.filter((text) => regexp.test(text))).toEqual([])
  })
})

describe('the expression of a phrase', () => {
  it.each([
    [
      'connection refused',
      ['connection refused', 'Connection \t\n REFUSED!'],
      ['connection  refusedx', 'connection-refused', 'connection\u001frefused'],
    ],
    ['100% *', ['100% *'], ['100% x', '1100% *']],
    [' x', ['a x', '\u00a0x'], ['x', 'ax']],
  ])('%s', (text, found, missed) => {
    const regexp = toJs(phraseRegexp(text))
    expect(found.filter((own) => !regexp.test(own))).toEqual([])
    expect(missed.filter((own) => regexp.test(own))).toEqual([])
  })
})

it('of a whole value reaches over white space, and tells case apart where asked', () => {
  expect(toJs(wholeRegexp(patternOf('a*z'))).test('A b\nZ')).toBe(true)
  expect(toJs(wholeRegexp(patternOf('a?z'))).test('a😀z')).toBe(true)
  expect(toJs(wholeRegexp(patternOf('a?z'))).test('az')).toBe(false)
  expect(toJs(wholeExactRegexp(patternOf('a*z'))).test('A z')).toBe(false)
  expect(toJs(wholeExactRegexp(patternOf('a*z'))).test('a Z z')).toBe(true)
})

describe('the expression for ASCII texts', () => {
  const characters = [...'aA zZ09_-./"\\*?\t\nkKiI%[(']
  const text = fc.string({ unit: fc.constantFrom(...characters), maxLength: 8 })
  const longText = fc.string({ unit: fc.constantFrom(...characters), maxLength: 24 })

  it('of a word finds in them what the full one finds', () => {
    const word = fc
      .string({ unit: fc.constantFrom(...'aAz09_-./k*?'), minLength: 1, maxLength: 5 })
      .filter((some) => some !== '*')
    fc.assert(
      fc.property(word, longText, (given, searched) => {
        const pattern = patternOf(given)
        const ascii = asciiWordRegexp(pattern)
        expect(ascii !== undefined && toJs(ascii).test(searched)).toBe(
          toJs(wordRegexp(pattern)).test(searched),
        )
      }),
      { numRuns: series(500, 3000) },
    )
  })

  it('of a phrase finds in them what the full one finds', () => {
    fc.assert(
      fc.property(text, longText, fc.nat(16), (given, around, at) => {
        const searched = around.slice(0, at) + given + around.slice(at)
        const ascii = asciiPhraseRegexp(given)
        expect(ascii !== undefined && toJs(ascii).test(searched)).toBe(
          toJs(phraseRegexp(given)).test(searched),
        )
      }),
      { numRuns: series(500, 3000) },
    )
  })

  it('is none where the term has a character that they have not', () => {
    expect(asciiPhraseRegexp('größe')).toBeUndefined()
    expect(asciiWordRegexp(patternOf('日本*'))).toBeUndefined()
    // Folds to k.
    expect(asciiPhraseRegexp('\u212Aelvin')).toBeDefined()
  })
})
