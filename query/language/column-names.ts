// The column names that parsing must know: a test's column is the longest known ending of a run of
// words (search-language#column-tests).

export interface ColumnNames {
  /** In any letter case. */
  has(name: string): boolean
  /** As it was first seen. */
  spelled(name: string): string | undefined
  /** Known names with parentheses that begin with this word (lower case; '' for a parenthesis),
   *  longest first. */
  withParentheses(firstWord: string): readonly string[]
  /** All, in lower case. */
  list(): readonly string[]
}

export function makeColumnNames(names: Iterable<string>): ColumnNames {
  const known = new Map<string, string>()
  const withParentheses = new Map<string, string[]>()
  for (const name of names) {
    const folded = name.toLowerCase()
    if (known.has(folded)) continue
    known.set(folded, name)
    if (!/[()]/.test(folded)) continue
    const first = firstWordOf(folded)
    const sameFirst = withParentheses.get(first)
    if (sameFirst) sameFirst.push(folded)
    else withParentheses.set(first, [folded])
  }
  for (const list of withParentheses.values()) list.sort((a, b) => b.length - a.length)
  return {
    has: (name) => known.has(name.toLowerCase()),
    spelled: (name) => known.get(name.toLowerCase()),
    withParentheses: (firstWord) => withParentheses.get(firstWord) ?? [],
    list: () => [...known.keys()],
  }
}

/** Both together. */
export function uniteColumnNames(first: ColumnNames, second: ColumnNames): ColumnNames {
  return {
    has: (name) => first.has(name) || second.has(name),
    spelled: (name) => first.spelled(name) ?? second.spelled(name),
    withParentheses: (word) => [...first.withParentheses(word), ...second.withParentheses(word)],
    list: () => [...new Set([...first.list(), ...second.list()])],
  }
}

function firstWordOf(name: string): string {
  return /^[^\s(]*/.exec(name)?.[0] ?? ''
}
