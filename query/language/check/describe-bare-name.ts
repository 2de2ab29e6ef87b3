// What somebody meant who wrote several words where a column stands, and no log has a column of
// that name.
import type { ColumnNames } from '../column-names.ts'
import { nearestWord } from '../nearest-word.ts'
import { STAGE_WORDS } from '../stages/all-stages.ts'
import type { ColumnRef } from '../tree.ts'
import { foreignStageInside } from './foreign/foreign-stages.ts'

/** As common in names of columns as at the beginning of a stage. */
const AMBIGUOUS = new Set(
  [
    'index from format field fields pattern table rate range offset unique line json',
    'regex average mean columns top tail head chart map set print sample return',
    'context var mode cluster reduce collect copy fill invoke scan basket reverse',
    'facet facets pivot earliest latest delta explode geom gauge datamodel metadata',
    'unpack delete drop',
  ].flatMap((words) => words.split(' ')),
)

const INTERVALS_ARE =
  'interval 5 minutes or interval 5m; units are second, minute, hour, day, week, month, year, or s, m, h, d, w, M, y'

/** Names have fewer words. */
const MAX_WORDS = 64

export type BareName = { readonly text: string; readonly start: number }

/** What may stand after a column, in some stage. */
const BEHIND = [
  'as',
  'asc',
  'desc',
  'group',
  'by',
  'interval',
  'in',
  'if',
  'or',
  'to',
  'and',
  'not',
]
/** Words of other languages, or of this one, that begin a stage; `first`, `time`... are too
 *  common in names. */
const BEGINS = new Set(
  STAGE_WORDS.filter((word) => !['time', 'start', 'end', 'first', 'last', 'values'].includes(word)),
)

/** undefined: one word without parentheses, which only warns. */
export function describeBareName(
  { name, start, end }: ColumnRef,
  text: string,
  names: ColumnNames,
): BareName | undefined {
  const words = wordsOf(text, start, end)
  if (/[()]/.test(name)) return describeParentheses(name, text.slice(0, start), start)
  if (words.length < 2) return undefined
  const known = knownBeginning(words, names)
  const rest = words.slice(known)
  const [next] = rest
  for (const [at, word] of words.entries()) {
    if (at === 0) continue
    const described = describeWord(word, words.slice(0, at))
    if (described !== undefined) return { text: described, start: word.start }
  }
  const [head, length] = words
  if (head?.folded === 'interval' && /^\d/.test(length?.text ?? ''))
    return { text: `no interval is '${length?.text}': ${INTERVALS_ARE}`, start }
  const before = textOf(words.slice(0, known))
  if (known > 0 && next !== undefined) {
    const near = nearestWord(next.text, [...BEHIND, ...STAGE_WORDS])
    const hint = near === undefined ? '' : `, the nearest is '${near}'`
    return {
      text: `a comma, | or the end is expected after the column '${before}', not '${next.text}'${hint}`,
      start: next.start,
    }
  }
  const [first] = words
  const near = first && nearestWord(first.text, ['distinct', 'only'])
  if (first && near !== undefined)
    return { text: `unknown word '${first.text}', the nearest is '${near}'`, start }
  const nearName = nearestWord(name, names.list())
  const hint = nearName === undefined ? '' : `, the nearest is '${nearName}'`
  return {
    text: `no log in scope has a column '${name}'${hint}: several columns have commas between them, a name of several words that no log has yet stands in quotation marks`,
    start,
  }
}

/** The name of a function and spaces after it. */
const MAX_CALL_CHARACTERS = 200

/** `avg(bytes)`, `count()` */
function describeParentheses(name: string, before: string, start: number): BareName {
  const inside = name.replace(/[()]/g, ' ').replace(/\s+/g, ' ').trim()
  const isCall = name.startsWith('(')
  const called =
    /(?:distinct count|percentile [\d.]+|[a-z]+)\s*$/i
      .exec(before.slice(-MAX_CALL_CHARACTERS))?.[0]
      .trim() ?? 'count'
  const write = inside === '' || inside === '*' ? called : `${called} ${inside}`
  const text = isCall
    ? `a function has no parentheses: it is written ${write}`
    : `no log in scope has a column '${name}': a function has no parentheses, and a name with some stands in quotation marks`
  return { text, start }
}

function describeWord(word: Word, before: readonly Word[]): string | undefined {
  const { folded } = word
  const column = () => textOf(before.slice(-MAX_WORDS))
  if (folded === 'by') return `by is expected after group: ${column()} group by …`
  if (folded === 'group') return `group by is expected, not group alone`
  if (folded === 'and' || folded === 'or' || folded === '&&')
    return `'${word.text}' does not stand between columns: ${column()}, …`
  if (folded === 'interval')
    return `a number and a unit are expected after interval: interval 5 minutes`
  if (BEGINS.has(folded)) return `| is missing before ${folded}`
  return AMBIGUOUS.has(folded) ? undefined : foreignStageInside(folded)
}

type Word = { readonly text: string; readonly folded: string; readonly start: number }

function wordsOf(text: string, start: number, end: number): Word[] {
  return [...text.slice(start, end).matchAll(/\S+/g)].map((match) => ({
    text: match[0],
    folded: match[0].toLowerCase(),
    start: start + match.index,
  }))
}

/** How many of the first words are a known name; the longest. */
function knownBeginning(words: readonly Word[], names: ColumnNames): number {
  for (let count = Math.min(words.length - 1, MAX_WORDS); count > 0; count -= 1)
    if (names.has(textOf(words.slice(0, count)))) return count
  return 0
}

function textOf(words: readonly Word[]): string {
  return words.map(({ text }) => text).join(' ')
}
