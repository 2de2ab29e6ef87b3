// Where a query's filter ends and its stages begin, and where its scopes stand. No parser: it only
// steps over what quotation marks, parentheses, brackets and escapes keep together. Pure.

export type SplitQuery = {
  /** Before the first | . */
  readonly filter: string
  /** From the first | on; '' without any. */
  readonly stages: string
}

type Sign = { readonly at: number; readonly depth: number }

export function splitQuery(query: string): SplitQuery {
  for (const { at, depth } of signs(query))
    if (query[at] === '|' && depth === 0)
      return { filter: query.slice(0, at).trim(), stages: query.slice(at).trim() }
  return { filter: query.trim(), stages: '' }
}

export type FilterShape = {
  /** What stands before the scope. */
  readonly tests: string
  /** From its `in` or `not in` on; '' for none. */
  readonly scope: string
  /** There is an `or` outside of parentheses, or more than one scope. */
  readonly isMixed: boolean
}

const SCOPE =
  /^(?:not\s+)?in\s+(?:\*|(?:log|folder|apptag|app|server|host|file|source|type)\.|last\b)/i

export function splitFilter(filter: string): FilterShape {
  const words = topWords(filter)
  const scopes = words.filter((at) => SCOPE.test(filter.slice(at)) && !isAfterNot(filter, at))
  const isOr = words.some((at) => /^or\b/i.test(filter.slice(at)))
  const first = scopes[0]
  if (first === undefined) return { tests: filter.trim(), scope: '', isMixed: isOr }
  const scope = filter.slice(first).trim()
  // What follows a scope by `or` is not bound by it.
  const isEnd = !topWords(scope).some((at) => at > 0 && /^(?:and|or)\b/i.test(scope.slice(at)))
  const tests = filter.slice(0, first).trim()
  if (!isEnd) return { tests: filter.trim(), scope: '', isMixed: true }
  return { tests, scope, isMixed: isOr }
}

/** `in` of `not in` begins at its `not`. */
function isAfterNot(filter: string, at: number): boolean {
  return /^in\b/i.test(filter.slice(at)) && /\bnot\s+$/i.test(filter.slice(0, at))
}

/** Places where a word begins outside of everything. */
function topWords(text: string): number[] {
  return [...signs(text)]
    .filter(({ at, depth }) => depth === 0 && /\S/.test(text[at] ?? '') && isWordStart(text, at))
    .map(({ at }) => at)
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || /[\s()]/.test(text[at - 1] ?? '')
}

/** Characters that are not inside quotation marks. */
function* signs(text: string): Generator<Sign> {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '\\') at += 1
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted) {
      if (character === ')' || character === ']') depth = Math.max(0, depth - 1)
      yield { at, depth }
      if (character === '(' || character === '[') depth += 1
    }
  }
}
