// How large a regular expression becomes when its repetitions are written out, which is what the
// engine does with them.

/** Characters, classes and the like, those inside a repetition as often as it may repeat them:
 *  `a[0-9]{3}` has 4. */
export function regexpSteps(regexp: string): number {
  /** For the groups that are open: steps so far, and those of the last atom, which a repetition
   *  after it multiplies. */
  const groups: { total: number; last: number }[] = []
  let group = { total: 0, last: 0 }
  const add = (steps: number) => {
    group.total += steps
    group.last = steps
  }
  for (let at = 0; at < regexp.length; at += 1) {
    const character = regexp.charAt(at)
    if (character === '\\') {
      at += /^\\[pP]\{[^}]*\}/.exec(regexp.slice(at, at + 40))?.[0].length ?? 2
      at -= 1
      add(1)
    } else if (character === '[') {
      at = classEnd(regexp, at)
      add(1)
    } else if (character === '(') {
      groups.push(group)
      group = { total: 0, last: 0 }
    } else if (character === ')') {
      const { total } = group
      group = groups.pop() ?? { total: 0, last: 0 }
      add(total)
    } else if (character === '{') {
      const repeat = /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}/.exec(regexp.slice(at, at + 12))
      if (!repeat) {
        add(1)
        continue
      }
      const times = Math.max(Number(repeat[1]), Number(repeat[3] ?? 0), 1)
      group.total += group.last * (times - 1)
      group.last *= times
      at += repeat[0].length - 1
    } else if (!/[*+?|^$]/.test(character)) {
      add(1)
    }
  }
  for (const { total } of groups) group.total += total
  return group.total
}

/** Where `]` stands, or the end of the text. */
function classEnd(regexp: string, start: number): number {
  let at = start + 1
  if (regexp.charAt(at) === '^') at += 1
  if (regexp.charAt(at) === ']') at += 1
  for (; at < regexp.length && regexp.charAt(at) !== ']'; at += 1) {
    if (regexp.charAt(at) === '\\') at += 1
    else if (regexp.startsWith('[:', at)) {
      const end = regexp.indexOf(':]', at)
      if (end !== -1) at = end + 1
    }
  }
  return at
}
