// Words that no event in scope has (decision 4.10), with the nearest one of the newest events, and
// texts that a test with a number has taken. It is asked like every search, so that nobody learns
// of events that he may not see; and for a short time only, beside the search.
import type { Clock } from '../../infra/clock.ts'
import { foldCase } from '../../schemas/store/text-index.ts'
import type { Warning } from '../../schemas/warning.ts'
import { type ComparedNumber, comparedNumbers } from '../language/check/doubts/compared-numbers.ts'
import { type WholeValue, wholeValues } from '../language/check/doubts/whole-values.ts'
import { applyEdits } from '../language/check/edit.ts'
import { MAX_REWRITTEN } from '../language/check/offer-rewritten.ts'
import { type SearchedWord, searchedWords } from '../language/check/searched-words.ts'
import type { FilterInput, Statement } from '../language/compile-filter.ts'
import { asQuery, compileOne, compileTexts, compileValues } from '../language/compile-hints.ts'
import { nearestWord } from '../language/nearest-word.ts'
import { readQuery } from '../language/read-query.ts'
import { makeQueryCatalog } from '../language/resolve/query-catalog.ts'
import type { Filter, Query } from '../language/tree.ts'

const MAX_WORDS = 4
/** Newest events whose words are compared, and of each so many bytes. */
const TEXTS = { count: 2000, bytes: 2000 }
const WORD = /[\p{L}\p{N}_]+/gu
const MAX_SHOWN = 40
const MAX_TESTS = 4
const SHOWN = { count: 1, bytes: 40 }
/** Words of this and other languages: nobody has mistyped them. */
const OF_LANGUAGES: ReadonlySet<string> = new Set(
  'null true false since ago last is in on at by as from to of for with where like select not and or has'.split(
    ' ',
  ),
)

export type AskStore = (statement: Statement, signal: AbortSignal) => Promise<unknown[][]>

export type WordHints = {
  /** Once the search has answered: what is known by then, or a little later. `hasRows`: its answer
   *  has rows. */
  settle(hasRows: boolean): Promise<readonly Warning[]>
  /** Ends what is still asked. */
  close(): void
}

type Look = {
  /** Of what stands here, in UTF-16 code units from 0. */
  readonly start: number
  /** Also where the answer has rows. */
  readonly isAlways: boolean
  /** It is known without the store that the answer may not be what was meant. */
  readonly isDoubt: boolean
  run(ask: Ask): Promise<Warning | undefined>
}
type Ask = (statement: Statement) => Promise<unknown[][]>

/** A search has its threads by then, and most have ended. */
const BESIDE_AFTER_MS = 50
const NOTHING: WordHints = { settle: () => Promise.resolve([]), close: () => {} }

/**
 * To be called when the search has begun. What is asked whatever it finds is asked beside it, the
 * rest only where it finds nothing. The answer waits until `withinMs` after the search began; where
 * nothing is found for `withinMs` more, since then these warnings are all that it has. That
 * something is not known by then is told only there, and of tests that are doubtful anyhow.
 */
export function beginWordHints(
  input: FilterInput,
  { withinMs }: { readonly withinMs: number },
  ask: AskStore,
  clock: Clock,
): WordHints {
  if (withinMs === 0) return NOTHING
  const { query } = readQuery(input)
  const isNeverEmpty = hasRowsOfNothing(query)
  const looks = looksOf(query, input)
  if (looks.length === 0) return NOTHING
  const late = new AbortController()
  const found = new Map<Look, Warning | undefined>()
  const lookAll = async (wanted: readonly Look[]) => {
    for (const look of wanted) {
      if (late.signal.aborted) return
      const warning = await look
        .run((statement) => ask(statement, late.signal))
        .catch(() => 'unknown' as const)
      if (warning !== 'unknown' && !late.signal.aborted) found.set(look, warning)
    }
  }
  const answered = new AbortController()
  const early = looks.filter(({ isAlways }) => isAlways || isNeverEmpty)
  const beside = clock
    .sleep(BESIDE_AFTER_MS, AbortSignal.any([answered.signal, late.signal]))
    .then(() => lookAll(early))
  const time = clock.sleep(withinMs, late.signal)
  return {
    async settle(hasRows) {
      answered.abort()
      const isEmpty = !hasRows && !isNeverEmpty
      const wanted = isEmpty ? looks : early
      const rest = isEmpty ? lookAll(looks.filter((look) => !early.includes(look))) : undefined
      const limit = isEmpty ? clock.sleep(withinMs, late.signal) : time
      await Promise.race([Promise.all([beside, rest]), limit])
      late.abort()
      const isToTell = (look: Look) => isEmpty || isNeverEmpty || look.isDoubt
      const open = wanted.find((look) => !found.has(look) && isToTell(look))
      const warnings = wanted.flatMap((look) => found.get(look) ?? [])
      return open === undefined ? warnings : [...warnings, notChecked(open.start, withinMs)]
    },
    close: () => {
      answered.abort()
      late.abort()
    },
  }
}

/** `running`: a search that has begun. When its query cannot be read, its own failure is thrown. */
export async function runWithHints<Found>(
  running: Promise<Found>,
  hasRows: (found: Found) => boolean,
  begin: () => WordHints,
): Promise<{ readonly found: Found; readonly words: readonly Warning[] }> {
  let hints: WordHints
  try {
    hints = begin()
  } catch (error) {
    await running
    throw error
  }
  try {
    const found = await running
    return { found, words: await hints.settle(hasRows(found)) }
  } finally {
    hints.close()
  }
}

/** The count of nothing is a row, too. */
function hasRowsOfNothing({ stages }: Query): boolean {
  return stages.some(
    ({ kind }, at) =>
      kind === 'interval' || (kind === 'functions' && stages[at + 1]?.kind !== 'groupBy'),
  )
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
  return [...firstOf(words, MAX_WORDS), ...firstOf(values, MAX_TESTS), ...numbers]
}

/** Those that are always asked come first. */
function firstOf(looks: readonly Look[], count: number): readonly Look[] {
  const sorted = [...looks].sort((a, b) => Number(b.isAlways) - Number(a.isAlways))
  const kept = new Set(sorted.slice(0, count))
  return looks.filter((look) => kept.has(look))
}

function notChecked(start: number, withinMs: number): Warning {
  const message = `whether events have the words and values of this query was not known within ${withinMs} ms: what is misspelled here is not told; the same call again or explain may tell it`
  return { code: 'query.not_checked', message, position: start + 1 }
}

async function warnOf(
  word: SearchedWord,
  input: FilterInput,
  ask: (statement: Statement) => Promise<unknown[][]>,
): Promise<Warning | undefined> {
  const only = (filter: Filter): FilterInput => ({ ...input, read: () => asQuery(filter) })
  if ((await ask(compileOne(only(word.filter)))).length > 0) return undefined
  const texts = await ask(compileTexts({ ...only(word.scopes), ...TEXTS }))
  // Nothing lies in the scope and the window: no word is at fault.
  if (texts.length === 0) return undefined
  const known = new Set(texts.flatMap(([text]) => foldCase(String(text)).match(WORD) ?? []))
  const nearest = OF_LANGUAGES.has(word.text.toLowerCase())
    ? undefined
    : nearestWord(word.text, [...known])
  const shown = word.text.length > MAX_SHOWN ? `${word.text.slice(0, MAX_SHOWN)}…` : word.text
  const hint = nearest === undefined ? '' : `; the nearest in the newest events is '${nearest}'`
  const message = `no event in scope and window has the word '${shown}'${hint}`
  const warning: Warning = { code: 'query.no_such_word', message, position: word.start + 1 }
  if (nearest === undefined || input.text.length > MAX_REWRITTEN) return warning
  const { start, end } = word
  return { ...warning, replacement: applyEdits(input.text, [{ start, end, text: nearest }]) }
}

async function warnOfValue(
  { exact, within, edit, reason }: WholeValue,
  input: FilterInput,
  ask: (statement: Statement) => Promise<unknown[][]>,
): Promise<Warning | undefined> {
  const isThere = async (filter: Filter) =>
    (await ask(compileOne({ ...input, read: () => asQuery(filter) }))).length > 0
  if ((await isThere(exact)) || !(await isThere(within))) return undefined
  const position = edit.start + 1
  const warning: Warning = { code: 'query.part_of_value', message: reason, position }
  return input.text.length > MAX_REWRITTEN
    ? warning
    : { ...warning, replacement: applyEdits(input.text, [edit]) }
}

/** Texts that a test with a number has taken (search-language#numbers): `status >= 500` takes `ok`,
 *  too. */
async function warnOfTexts(
  { column, filter, edit }: ComparedNumber,
  input: FilterInput,
  ask: (statement: Statement) => Promise<unknown[][]>,
): Promise<Warning | undefined> {
  const read = () => asQuery(filter)
  const statement = compileValues({ ...input, read, column, ...SHOWN })
  if (statement === undefined || !('sql' in statement)) return undefined
  const [value] = (await ask(statement))[0] ?? []
  if (value === undefined) return undefined
  const message = `events with texts in '${column.name}', such as '${String(value)}', pass this test: a text is compared as text; matches beside it leaves numbers alone`
  const warning: Warning = { code: 'query.compared_as_text', message, position: edit.start + 1 }
  return input.text.length > MAX_REWRITTEN
    ? warning
    : { ...warning, replacement: applyEdits(input.text, [edit]) }
}

function numbersAmongTexts(query: Query, input: FilterInput): readonly ComparedNumber[] {
  const { text, visibleLogs, columns } = input
  const catalog = makeQueryCatalog(visibleLogs, columns)
  return comparedNumbers(query, text, catalog).slice(0, MAX_TESTS)
}
