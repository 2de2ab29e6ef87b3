// Several words and phrases joined by AND or OR, as few conditions: a query may hold thousands of
// them.
import {
  foldCase,
  IDS_EXPRESSION,
  isExactWord,
  isIndexedWord,
  mayStandInIds,
  NUMBERS_EXPRESSION,
} from '../../../../schemas/store/text-index.ts'
import type { Phrase, Word } from '../../tree.ts'
import { sqlAnd, sqlEither, sqlOr } from '../boolean-sql.ts'
import type { SqlParams } from '../sql-params.ts'
import {
  asciiTermRegexp,
  identifierPart,
  idMatchSql,
  mayStandInIdentifiers,
  plainText,
  type TermContext,
  tellingPart,
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
  const all = [...byRegexp.values()]
  const telling = kind === 'or' && context.isIndexed ? tellingParts(all) : NONE
  const without = all.filter((term) => !telling.has(term))
  const isMany = without.length > MAX_NARROWED
  // Beside a scan of all texts identifiers are looked for in the same scan.
  const [identifiers, others] = isMany ? [NONE, all] : [telling, without]
  // Many terms that must all stand in the text: all their words are asked for at once, and none
  // narrows alone.
  const inner = kind === 'and' && isMany && context.isIndexed ? innerWords(others) : []
  const words = [...exact, ...inner]
  const tokens = words.length === 0 ? [] : [tokensSql(kind, words, context.params)]
  if (kind === 'or' && isMany) {
    return sqlOr([...tokens, ...alternativesSql(others, context)])
  }
  const each = others.map((term) => (isMany ? scanSql(term, context) : termSql(term, context)))
  const together = identifiers.size === 0 ? [] : [anyIdentifierSql(identifiers, context)]
  return kind === 'and' ? sqlAnd([...tokens, ...each]) : sqlOr([...tokens, ...together, ...each])
}

/** Asked of the indexes together, so that however many they are the engine has two sides of one
 *  OR. */
function anyIdentifierSql(identifiers: ReadonlyMap<Term, string>, { params }: TermContext): string {
  params.countIdentifiers()
  const terms = [...identifiers.keys()]
  const parts = params.add([...new Set(identifiers.values())], 'Array(String)')
  return sqlOr([
    sqlAnd([
      anyTextSql(terms, params).reduce(sqlEither),
      `hasAny(${NUMBERS_EXPRESSION}, ${parts})`,
    ]),
    sqlAnd([`hasAny(${IDS_EXPRESSION}, ${parts})`, anyIdSql(terms, params).reduce(sqlEither)]),
  ])
}

const NONE: ReadonlyMap<Term, string> = new Map()

/** Terms with the part by which they are looked for together; of one alone its own condition is
 *  cheaper. */
function tellingParts(terms: Iterable<Term>): ReadonlyMap<Term, string> {
  const found = new Map<Term, string>()
  for (const term of terms) {
    const part = tellingPart(term)
    if (part !== undefined) found.set(term, part)
  }
  return found.size > 1 ? found : NONE
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
  return [
    ...anyTextSql(terms, params),
    ...(parts.length > 0
      ? [`hasAny(${IDS_EXPRESSION}, ${params.add(parts, 'Array(String)')})`]
      : []),
    ...anyIdSql(scanned, params),
  ]
}

function anyTextSql(terms: readonly Term[], params: SqlParams): string[] {
  return chunks(terms).map((chunk) => {
    params.countConditions(1)
    return textMatchSql(chunk, params)
  })
}

function anyIdSql(terms: readonly Term[], params: SqlParams): string[] {
  const regexps = [...new Set(terms.flatMap((term) => asciiTermRegexp(term) ?? []))]
  return chunks(regexps).map((chunk) =>
    idMatchSql(params.text(chunk.map((text) => `(?:${text})`).join('|'))),
  )
}

function chunks<Item>(list: readonly Item[]): Item[][] {
  const parts: Item[][] = []
  for (let at = 0; at < list.length; at += MAX_ALTERNATIVES) {
    parts.push(list.slice(at, at + MAX_ALTERNATIVES))
  }
  return parts
}
