// Every match of a regular expression replaced; `$1` in the new text is a group
// (search-language#replace).
import { raiseQuery } from '../../parse/raise-query.ts'
import type { SqlParams } from '../sql-params.ts'
import { regexpGroups } from './regexp-groups.ts'

/** String SQL; a missing value ('') stays missing. `start`: where the new text stands in the
 *  query. */
export function replacementSql(
  text: string,
  { regexp, replacement, start }: { regexp: string; replacement: string; start: number },
  params: SqlParams,
): string {
  const count = regexpGroups(regexp).length
  for (const [reference, digit] of replacement.matchAll(/\$(\d)/g)) {
    if (Number(digit) <= count) continue
    const groups = count === 0 ? 'no group' : count === 1 ? 'one group' : `${count} groups`
    raiseQuery(`the regular expression has ${groups}, there is no ${reference}`, start)
  }
  // The engine's own sign for a group is the backslash.
  const given = replacement.replaceAll('\\', '\\\\').replace(/\$(\d)/g, '\\$1')
  // A dot is any character, as in the other uses of regular expressions.
  return `if(${text} = '', '', replaceRegexpAll(${text}, ${params.text(`(?s)${regexp}`)}, ${params.text(given)}))`
}
