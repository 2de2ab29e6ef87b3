// Words and phrases that no event in scope has (decision 4.10), with the nearest one of the newest
// events, texts among numbers, and hosts that are two things. It is asked like every search, so
// that nobody learns of events that he may not see.
import { foldCase } from '../../schemas/store/text-index.ts'
import type { Warning } from '../../schemas/warning.ts'
import { type ComparedNumber, comparedNumbers } from '../language/check/doubts/compared-numbers.ts'
import { type HiddenHost, hiddenHost } from '../language/check/doubts/hidden-hosts.ts'
import { testsOfJson } from '../language/check/doubts/json-texts.ts'
import { type MixedValues, mixedValues } from '../language/check/doubts/mixed-values.ts'
import { type WholeValue, wholeValues } from '../language/check/doubts/whole-values.ts'
import { applyEdits, type Edit } from '../language/check/edit.ts'
import { MAX_CHECKED } from '../language/check/offer-rewritten.ts'
import { type SearchedWord, searchedWords } from '../language/check/searched-words.ts'
import type { FilterInput } from '../language/compile-filter.ts'
import {
  asQuery,
  compileDifferent,
  compileOne,
  compileTexts,
  compileValues,
} from '../language/compile-hints.ts'
import { nearestWord } from '../language/nearest-word.ts'
import { readQuery } from '../language/read-query.ts'
import { makeQueryCatalog } from '../language/resolve/query-catalog.ts'
import type { Filter, Query } from '../language/tree.ts'
import type { Hints, Look } from './word-warnings.ts'

const MAX_WORDS = 4
/** Newest events whose words are compared, and of each so many bytes. */
const TEXTS = { count: 2000, bytes: 2000 }
const WORD = /[\p{L}\p{N}_]+/gu
const MAX_SHOWN = 40
const MAX_TESTS = 4
const MAX_WRITTEN = 200
const SHOWN = { count: 1, bytes: 40 }
/** Words of this and other languages: nobody has mistyped them. */
const OF_LANGUAGES: ReadonlySet<string> = new Set(
  'null true false since ago last is in on at by as from to of for with where like select not and or has'.split(
    ' ',
  ),
)

type Ask = Parameters<Look['run']>[0]

/** What may be asked about a query. */
export function hintsOf(input: FilterInput): Hints {
  const { query } = readQuery(input)
  return { looks: looksOf(query, input), isNeverEmpty: hasRowsOfNothing(query) }
}

function looksOf(query: Query, input: FilterInput): readonly Look[] {
  const { warnings: known, edits } = readQuery(input)
  const words = searchedWords(query)
    // What is told already may be no word at all.
    .filter(({ start }) => !known.some(({ position }) => position === start + 1))
    .filter(({ start, end }) => !edits.some((edit) => start < edit.end && edit.start < end))
    .map(
      (word): Look => ({
        start: word.start,
        isAlways: word.isAlternative,
        isDoubt: false,
        run: (ask) => warnOf(word, input, ask),
      }),
    )
  const values = wholeValues(query, input.text).map(
    (test): Look => ({
      start: test.edit.start,
      isAlways: false,
      isDoubt: false,
      run: (ask) => warnOfValue(test, input, ask),
    }),
  )
  const numbers = numbersAmongTexts(query, input).map(
    (number): Look => ({
      start: number.edit.start,
      isAlways: true,
      isDoubt: true,
      run: (ask) => warnOfTexts(number, input, ask),
    }),
  )
  return [
    ...firstOf(words, MAX_WORDS),
    ...firstOf(values, MAX_TESTS),
    ...numbers,
    ...looksOfStages(query, input),
  ]
}

/** `max latency` where texts are among the numbers; `group by host`. */
function looksOfStages(query: Query, input: FilterInput): readonly Look[] {
  if (query.source.kind === 'transaction') return []
  const catalog = makeQueryCatalog(input.visibleLogs, input.columns)
  const kindsOf = catalog.kindsInFilter(query.source.filter)
  const mixed = mixedValues(query, kindsOf).map(
    (values): Look => ({
      start: values.column.start,
      isAlways: true,
      isDoubt: values.isLikely,
      run: (ask) => warnOfMixed(values, input, ask),
    }),
  )
  const host = kindsOf('host').size === 0 ? undefined : hiddenHost(query)
  if (host === undefined) return mixed.slice(0, MAX_TESTS)
  const ofHost: Look = {
    start: host.column.start,
    isAlways: true,
    isDoubt: false,
    run: (ask) => warnOfHost(host, input, ask),
  }
  return [...mixed.slice(0, MAX_TESTS), ofHost]
}

/** Those that are always asked come first. */
function firstOf(looks: readonly Look[], count: number): readonly Look[] {
  const sorted = [...looks].sort((a, b) => Number(b.isAlways) - Number(a.isAlways))
  const kept = new Set(sorted.slice(0, count))
  return looks.filter((look) => kept.has(look))
}

async function warnOf(
  word: SearchedWord,
  input: FilterInput,
  ask: Ask,
): Promise<Warning | undefined> {
  const only = (filter: Filter): FilterInput => ({ ...input, read: () => asQuery(filter) })
  if ((await ask(compileOne(only(word.filter)))).length > 0) return undefined
  if (word.isPhrase) return await warnOfPhrase(word, input, ask)
  const texts = await ask(compileTexts({ ...only(word.scopes), ...TEXTS }))
  // Nothing lies in the scope and the window: no word is at fault.
  if (texts.length === 0) return undefined
  const known = new Set(texts.flatMap(([text]) => foldCase(String(text)).match(WORD) ?? []))
  const nearest = OF_LANGUAGES.has(word.text.toLowerCase())
    ? undefined
    : nearestWord(word.text, [...known])
  const hint = nearest === undefined ? '' : `; the nearest in the newest events is '${nearest}'`
  const message = `no event in scope and window has the word '${cut(word.text, MAX_SHOWN)}'${hint}`
  const warning: Warning = { code: 'query.no_such_word', message, position: word.start + 1 }
  const { start, end } = word
  return offer(warning, input, nearest === undefined ? undefined : { start, end, text: nearest })
}

/** Of a phrase that no event has. */
async function warnOfPhrase(
  { text, start, end, scopes }: SearchedWord,
  input: FilterInput,
  ask: Ask,
): Promise<Warning | undefined> {
  const some = await ask(compileOne({ ...input, read: () => asQuery(scopes) }))
  if (some.length === 0) return undefined
  const tests = testsOfJson(text)
  const hint =
    tests === undefined
      ? ''
      : `: keys of JSON are columns, and no texts, ${tests === '' ? 'a test is written column = value' : `it is written ${cut(tests, MAX_WRITTEN)}`}`
  const message = `no event in scope and window has the phrase '${cut(text, MAX_SHOWN)}'${hint}`
  const warning: Warning = { code: 'query.no_such_word', message, position: start + 1 }
  if (tests === undefined || tests === '') return warning
  const { query } = readQuery(input)
  const isAlone = query.source.kind === 'filterSource' && query.source.filter.kind === 'phrase'
  return offer(warning, input, { start, end, text: isAlone ? tests : `(${tests})` })
}

/** Texts among the numbers of a column that is sorted or calculated with. */
async function warnOfMixed(
  { column, texts, numbers, reason, edit }: MixedValues,
  input: FilterInput,
  ask: Ask,
): Promise<Warning | undefined> {
  const of = (filter: Filter): FilterInput => ({ ...input, read: () => asQuery(filter) })
  const statement = compileValues({ ...of(texts), column, ...SHOWN })
  if (statement === undefined || !('sql' in statement)) return undefined
  const [value] = (await ask(statement))[0] ?? []
  if (value === undefined) return undefined
  if (numbers !== undefined && (await ask(compileOne(of(numbers)))).length === 0) return undefined
  const message = `'${column.name}' holds texts, too, such as '${String(value)}': ${reason}`
  const warning: Warning = { code: 'query.mixed_values', message, position: column.start + 1 }
  return offer(warning, input, edit)
}

/** `host` is the sender: the newest events have another text under a key of this name. */
async function warnOfHost(
  { column, scopes }: HiddenHost,
  input: FilterInput,
  ask: Ask,
): Promise<Warning | undefined> {
  const { start, end } = column
  const statement = compileDifferent({
    ...{ ...input, read: () => asQuery(scopes), count: TEXTS.count },
    compared: [
      { ...column, origin: 'builtIn' },
      { ...column, origin: 'parsed' },
    ],
  })
  if ((await ask(statement)).length === 0) return undefined
  const write = `column.${column.name}`
  const message = `'${column.name}' is the built-in column host: what events hold themselves under this name is ${write}, and they differ`
  const warning: Warning = { code: 'query.hidden_column', message, position: start + 1 }
  return offer(warning, input, { start, end, text: write })
}

function offer(warning: Warning, { text }: FilterInput, edit: Edit | undefined): Warning {
  if (edit === undefined || text.length > MAX_CHECKED) return warning
  return { ...warning, replacement: applyEdits(text, [edit]) }
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text
}

async function warnOfValue(
  { exact, within, edit, reason }: WholeValue,
  input: FilterInput,
  ask: Ask,
): Promise<Warning | undefined> {
  const isThere = async (filter: Filter) =>
    (await ask(compileOne({ ...input, read: () => asQuery(filter) }))).length > 0
  if ((await isThere(exact)) || !(await isThere(within))) return undefined
  const position = edit.start + 1
  const warning: Warning = { code: 'query.part_of_value', message: reason, position }
  return offer(warning, input, edit)
}

/** Texts that a test with a number has taken (search-language#numbers): `status >= 500` takes `ok`,
 *  too. */
async function warnOfTexts(
  { column, filter, edit }: ComparedNumber,
  input: FilterInput,
  ask: Ask,
): Promise<Warning | undefined> {
  const read = () => asQuery(filter)
  const statement = compileValues({ ...input, read, column, ...SHOWN })
  if (statement === undefined || !('sql' in statement)) return undefined
  const [value] = (await ask(statement))[0] ?? []
  if (value === undefined) return undefined
  const message = `events with texts in '${column.name}', such as '${String(value)}', pass this test: a text is compared as text; matches beside it leaves numbers alone`
  const warning: Warning = { code: 'query.compared_as_text', message, position: edit.start + 1 }
  return offer(warning, input, edit)
}

function numbersAmongTexts(query: Query, input: FilterInput): readonly ComparedNumber[] {
  const { text, visibleLogs, columns } = input
  const catalog = makeQueryCatalog(visibleLogs, columns)
  return comparedNumbers(query, text, catalog).slice(0, MAX_TESTS)
}

/** The count of nothing is a row, too. */
function hasRowsOfNothing({ stages }: Query): boolean {
  return stages.some(
    ({ kind }, at) =>
      kind === 'interval' || (kind === 'functions' && stages[at + 1]?.kind !== 'groupBy'),
  )
}
