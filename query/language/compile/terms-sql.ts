// Several words and phrases joined by AND or OR, as few conditions: a query may hold thousands of them.
import {
  foldCase,
  IDS_EXPRESSION,
  isExactWord,
  isIndexedWord,
  mayStandInIds,
} from '../../../schemas/store/text-index.ts'
import type { Phrase, Word } from '../tree.ts'
import { sqlAnd, sqlOr } from './boolean-sql.ts'
import {
  asciiTermRegexp,
  identifierPart,
  idMatchSql,
  mayStandInIdentifiers,
  plainText,
  type TermContext,
  termPattern,
  termRegexp,
  termSql,
  textMatchSql,
  tokensSql,
  wholeWords,
} from './term-sql.ts'

type Term = Word | Phrase

/** Up to here each term is narrowed by an index of its own; more are looked for together. */
const MAX_NARROWED = 8
/** Alternatives in one regular expression. */
const MAX_ALTERNATIVES = 100

export function termsSql(kind: 'and' | 'or', terms: readonly Term[], context: TermContext): string {
  const exact: string[] = []
  const byRegexp = new Map<string, Term>()
  for (const term of terms) {
    const plain = foldCase(plainText(termPattern(term)) ?? '')
    const isExact = context.isIndexed && isExactWord(plain) && !mayStandInIds(plain)
    if (isExact) exact.push(plain)
    else byRegexp.set(termRegexp(term), term)
  }
  const others = [...byRegexp.values()]
  const isMany = others.length > MAX_NARROWED
  // Many terms that must all stand in the text: all their words are asked for at once, and none narrows alone.
  const inner = kind === 'and' && isMany && context.isIndexed ? innerWords(others) : []
  const words = [...exact, ...inner]
  const tokens = words.length === 0 ? [] : [tokensSql(kind, words, context.params)]
  if (kind === 'or' && isMany) {
    return sqlOr([...tokens, ...alternativesSql(others, context)])
  }
  const each = others.map((term) => (isMany ? scanSql(term, context) : termSql(term, context)))
  return kind === 'and' ? sqlAnd([...tokens, ...each]) : sqlOr([...tokens, ...each])
}

/** Words that stand in the text of every row that holds all terms. */
function innerWords(terms: readonly Term[]): string[] {
  return terms
    .map(termPattern)
    .filter((pattern) => !mayStandInIdentifiers(pattern))
    .flatMap((pattern) => wholeWords(pattern).filter(isIndexedWord))
}

function scanSql(term: Term, { params }: TermContext): string {
  return termSql(term, { params, isIndexed: false })
}

/** A scan, once for many alternatives. */
function alternativesSql(terms: readonly Term[], context: TermContext): string[] {
  const { params } = context
  const ofIds = terms.filter((term) => mayStandInIdentifiers(termPattern(term)))
  const parts = ofIds.flatMap((term) => identifierPart(termPattern(term)) ?? [])
  const scanned = ofIds.filter((term) => identifierPart(termPattern(term)) === undefined)
  const inIds = [...new Set(scanned.flatMap((term) => asciiTermRegexp(term) ?? []))]
  return [
    ...chunks(terms).map((chunk) => {
      params.countConditions(1)
      return textMatchSql(chunk, params)
    }),
    ...(parts.length > 0
      ? [`hasAny(${IDS_EXPRESSION}, ${params.add(parts, 'Array(String)')})`]
      : []),
    ...chunks(inIds).map((chunk) => {
      const regexp = params.text(chunk.map((text) => `(?:${text})`).join('|'))
      return idMatchSql(regexp)
    }),
  ]
}

function chunks<Item>(list: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  for (let at = 0; at < list.length; at += MAX_ALTERNATIVES) {
    parts.push(list.slice(at, at + MAX_ALTERNATIVES))
  }
  return parts
}
