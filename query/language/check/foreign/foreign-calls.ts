// Functions of filters in other languages, and how it is written here.

/** By name, lower case. */
const CALLS: ReadonlyMap<string, string> = new Map([
  ...named('like ilike', 'column contains "…"'),
  ...named('match regexmatch regexp_like regexp_matches regex re', 'column matches "…"'),
  ...named('isnull isempty is_null', 'column = null'),
  ...named('isnotnull isnotempty is_not_null', 'column != null'),
  ...named('cidrmatch ipv4_is_in_range ipv4_is_match ipv4_range ip', 'column within 10.0.0.0/8'),
  ...named('in', 'column in (a, b)'),
  ...named('contains has contains_any contains_all', 'column contains "…"'),
  ...named('startswith starts_with hasprefix', 'column starts with "…"'),
  ...named('endswith ends_with hassuffix', 'column ends with "…"'),
  ...named(
    'lower upper tolower toupper i lcase ucase',
    'column = value, letter case does not count',
  ),
  ...named(
    'len strlen length len_range',
    'column matches "^.{5,}$", lengths are not compared otherwise',
  ),
  ...named(
    'tonumber toint tolong todouble toreal num int bytes duration cast',
    'column > 5, texts that read as numbers are compared as numbers',
  ),
  ...named(
    'ago earliest latest now datetime date_sub relative_time strptime',
    'timestamp > now-1h',
  ),
  ...named('between range', 'column between 1 and 5'),
  ...named('term', 'the text in quotation marks, "10.0.0.1"'),
  ...named('exact', 'column = "…"'),
  ...named('seq', 'the words one after the other in quotation marks, "disk full"'),
  ...named('coalesce if iff iif case', 'conditions with and, or and parentheses'),
  ...named('searchmatch query match_phrase', 'the words themselves'),
  ...named(
    'count sum avg min max stdev median percentile rate count_over_time sum_over_time topk',
    'a stage after |, such as | count group by host',
  ),
])

function named(names: string, write: string): readonly (readonly [string, string])[] {
  return names.split(' ').map((name) => [name, write] as const)
}

/** `text` up to where a parenthesis of `name(` stands. */
export function describeCall(name: string): string {
  const write = CALLS.get(name.toLowerCase())
  const way = write === undefined ? 'it has tests such as column = value' : `it is written ${write}`
  return `${name}(…) is not known, a filter has no functions: ${way}`
}

/** `isnull(user)`: the test that is the same. */
export function sameTest(name: string, column: string): string | undefined {
  const write = CALLS.get(name.toLowerCase())
  if (write !== 'column = null' && write !== 'column != null') return undefined
  return write.replace('column', column)
}
