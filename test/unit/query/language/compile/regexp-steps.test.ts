import { expect, it } from 'vitest'
import { regexpSteps } from '../../../../../query/language/compile/regexp/regexp-steps.ts'

it.each<[string, number]>([
  ['', 0],
  ['abc', 3],
  ['^a.c$', 3],
  ['a[0-9]{3}', 4],
  ['a[0-9]{3,}', 4],
  ['[b-y][0-9]{20,169}', 170],
  ['(ab){10}', 20],
  ['((a{10}){10}){10}', 1000],
  ['a{0}', 1],
  ['a{x}', 4],
  ['a{,3}', 5],
  ['\\d{7}\\.', 8],
  ['\\p{Greek}{5}', 5],
  ['[]a]{4}', 4],
  ['[^]a]{4}', 4],
  ['[\\]]{4}', 4],
  ['[[:alpha:]]{4}', 4],
  ['(a|bc)*?x+', 4],
  ['((a{50}', 50],
  ['a{2}{3}', 6],
])('%s is written out as %d steps', (regexp, steps) => {
  expect(regexpSteps(regexp)).toBe(steps)
})
