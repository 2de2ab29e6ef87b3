// Clicks become words of the query, where people see and learn them. Pure.
import { splitFilter, splitQuery } from './split-query.ts'

const RESERVED = new Set(
  `and or not in as by if asc desc to null only format transaction group interval contains starts ends with between within
  matches exists distinct time`.split(/\s+/),
)

/** Of its name as it may stand in a test. */
export function printColumn(name: string): string {
  const isPlain = /^[A-Za-z0-9_.]+$/.test(name) && !RESERVED.has(name.toLowerCase())
  return isPlain && !/^(column|event)\./i.test(name) ? name : printQuoted(name)
}

export function printValue(value: string): string {
  const isPlain =
    /^[\p{L}\p{N}_.:/@-]+$/u.test(value) && !/^(?:and|or|not|in|null|now.*|-.*)$/i.test(value)
  return isPlain ? value : printQuoted(value)
}

export function printQuoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`
}

/** `column = value`; of a message or a value of several lines that, too. */
export function printTest(column: string, value: string): string {
  return `${printColumn(column)} = ${printValue(value)}`
}

/** The query with one test more; `isNot`: without what passes it. */
export function addTest(query: string, test: string, { isNot = false } = {}): string {
  const { filter, stages } = splitQuery(query)
  const { tests, scope, isMixed } = splitFilter(filter)
  const added = isNot ? `not ${test}` : test
  const opposite = isNot ? test : `not ${test}`
  const parts = [joinTests(tests, added, opposite, isMixed), scope, stages]
  return parts.filter((part) => part !== '').join(' ')
}

/** The filter of the query, counted by a column. */
export function countBy(query: string, column: string): string {
  const { filter } = splitQuery(query)
  return `${filter || '*'} | count | group by ${printColumn(column)} | order by count desc`
}

function joinTests(tests: string, added: string, opposite: string, isMixed: boolean): string {
  if (tests === '' || tests === '*') return added
  if (isMixed) return `(${tests}) ${added}`
  if (hasPart(tests, added)) return tests
  // What was excluded before is now wanted, or the other way round.
  if (hasPart(tests, opposite)) return replacePart(tests, opposite, added)
  return `${tests} ${added}`
}

function hasPart(tests: string, part: string): boolean {
  if (!part.startsWith('not ') && ` ${tests} `.includes(` not ${part} `)) return false
  return ` ${tests} `.includes(` ${part} `)
}

function replacePart(tests: string, part: string, by: string): string {
  const at = ` ${tests} `.indexOf(` ${part} `)
  return `${tests.slice(0, at)}${by}${tests.slice(at + part.length)}`
}

/** Names in scopes may hold spaces; words and signs that end them do not. */
export function printScopeName(name: string): string {
  return /[,|()"*?\\]|(?:^|\s)(?:and|or|not)(?:\s|$)/i.test(name) ? printQuoted(name) : name
}
