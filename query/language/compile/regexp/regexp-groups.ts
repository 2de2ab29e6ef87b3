// The capturing groups of a regular expression in order, each with its name or without one. For
// expressions that are sound.

export function regexpGroups(regexp: string): readonly (string | null)[] {
  const groups: (string | null)[] = []
  let classStart = -1
  for (let at = 0; at < regexp.length; at += 1) {
    const character = regexp.charAt(at)
    if (character === '\\') {
      // Between \Q and \E everything is plain.
      const end = regexp.charAt(at + 1) === 'Q' ? regexp.indexOf('\\E', at + 2) : at
      at = end < 0 ? regexp.length : end + 1
    } else if (classStart >= 0) {
      // A bracket directly after [ or [^ is a character of the class; [:alpha:] is one of its
      // parts.
      if (regexp.startsWith('[:', at) && regexp.includes(':]', at))
        at = regexp.indexOf(':]', at) + 1
      else if (character === ']' && at > classStart) classStart = -1
    } else if (character === '[') {
      classStart = regexp.charAt(at + 1) === '^' ? at + 2 : at + 1
    } else if (character === '(') {
      const name = /^\(\?P?<([A-Za-z_]\w*)>/.exec(regexp.slice(at))?.[1]
      if (name !== undefined) groups.push(name)
      else if (regexp.charAt(at + 1) !== '?') groups.push(null)
    }
  }
  return groups
}
