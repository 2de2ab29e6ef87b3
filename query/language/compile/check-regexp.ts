// Regular expressions are RE2's. What RE2 has not is refused here, with a position; its own parser finds the rest.
import { raiseQuery } from '../raise-query.ts'
import { regexpSteps } from './regexp-steps.ts'
import type { SqlParams } from './sql-params.ts'

/** `start`: where the value stands in the query. Its repetitions count towards the limit of the query. */
export function checkRegexp(regexp: string, start: number, params: SqlParams): void {
  const reason = findFault(regexp)
  if (reason) raiseQuery(`the regular expression ${reason}`, start)
  params.countRepeats(Math.max(0, regexpSteps(regexp) - regexp.length))
}

function findFault(regexp: string): string | undefined {
  let open = 0
  let isClass = false
  for (let at = 0; at < regexp.length; at += 1) {
    const character = regexp.charAt(at)
    if (character === '\\') {
      const next = regexp.charAt(at + 1)
      if (next === '') return 'ends with a backslash'
      if (/[1-9]/.test(next) && !isClass) return 'has a back reference, which is not supported'
      at += 1
    } else if (isClass) {
      if (character === ']' && !isClassStart(regexp, at)) isClass = false
    } else if (character === '[') {
      isClass = true
    } else if (character === '(') {
      if (/^\(\?(?:[=!]|<[=!])/.test(regexp.slice(at, at + 4))) {
        return 'looks ahead or behind, which is not supported'
      }
      open += 1
    } else if (character === ')') {
      open -= 1
      if (open < 0) return 'has ) without ('
    } else if (/[*+?]/.test(character) && isNothingBefore(regexp, at)) {
      return `has nothing for ${character} to repeat`
    }
  }
  if (isClass) return 'has [ without ]'
  return open > 0 ? 'has ( without )' : undefined
}

/** `]` directly behind `[` or `[^` is a character of the class. */
function isClassStart(regexp: string, at: number): boolean {
  const before = regexp.slice(Math.max(0, at - 2), at)
  return before.endsWith('[') || before === '[^'
}

function isNothingBefore(regexp: string, at: number): boolean {
  if (regexp.charAt(at) === '?' && regexp.charAt(at - 1) === '(') return false
  return at === 0 || ['(', '|'].includes(regexp.charAt(at - 1))
}
