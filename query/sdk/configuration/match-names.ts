// Names by a glob: * any characters, ? one. No regular expression: one of many stars would hang.
import { foldName } from '../../../infra/database/fold-name.ts'

/** Letter case does not count. */
export function matchNames(glob: string): (name: string) => boolean {
  const pattern = [...foldName(glob)]
  return (name) => isMatch(pattern, [...foldName(name)])
}

/** Greedy with one place to go back to: the last star. */
function isMatch(pattern: readonly string[], text: readonly string[]): boolean {
  let at = 0
  let star = -1
  let starAt = 0
  for (let index = 0; index < text.length; ) {
    if (pattern[at] === '*') {
      star = at
      starAt = index
      at += 1
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[index])) {
      at += 1
      index += 1
    } else if (star >= 0) {
      at = star + 1
      starAt += 1
      index = starAt
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
