// Words that no event in scope has (decision 4.10), with the nearest one of the newest events. It
// is asked like every search, so that nobody learns of events that he may not see; and for a short
// time only, since the answer waits for it.
import type { Clock } from '../../infra/clock.ts'
import { foldCase } from '../../schemas/store/text-index.ts'
import type { Warning } from '../../schemas/warning.ts'
import { applyEdits } from '../language/check/edit.ts'
import { MAX_REWRITTEN } from '../language/check/offer-rewritten.ts'
import { type SearchedWord, searchedWords } from '../language/check/searched-words.ts'
import type { FilterInput, Statement } from '../language/compile-filter.ts'
import { compileOne, compileTexts } from '../language/compile-hints.ts'
import { nearestWord } from '../language/nearest-word.ts'
import { readQuery } from '../language/read-query.ts'
import type { Filter } from '../language/tree.ts'

const MAX_WORDS = 4
/** Newest events whose words are compared, and of each so many bytes. */
const TEXTS = { count: 2000, bytes: 2000 }
const WORD = /[\p{L}\p{N}_]+/gu
const MAX_SHOWN = 40

export type AskStore = (statement: Statement, signal: AbortSignal) => Promise<unknown[][]>

/** `hasFound`: the answer has events, so only words that it did not need can be missing. The answer
 *  waits for `withinMs`; what is not known by then is not said. */
export async function findWordWarnings(
  input: FilterInput,
  { hasFound, withinMs }: { readonly hasFound: boolean; readonly withinMs: number },
  ask: AskStore,
  clock: Clock,
): Promise<readonly Warning[]> {
  if (withinMs === 0) return []
  const { query, warnings: known } = readQuery(input)
  const words = searchedWords(query)
    .filter(({ isAlternative }) => isAlternative || !hasFound)
    // What is told already may be no word at all.
    .filter(({ start }) => !known.some(({ position }) => position === start + 1))
    .slice(0, MAX_WORDS)
  if (words.length === 0) return []
  const late = new AbortController()
  const warnings: Warning[] = []
  const look = async () => {
    for (const word of words) {
      const warning = await warnOf(word, input, (statement) => ask(statement, late.signal))
      if (late.signal.aborted) return
      if (warning !== undefined) warnings.push(warning)
    }
  }
  const ended = new AbortController()
  // What fails or is late is not said: the answer is right without it.
  await Promise.race([look().catch(() => undefined), clock.sleep(withinMs, ended.signal)])
  ended.abort()
  late.abort()
  return [...warnings]
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
  const nearest = nearestWord(word.text, [...known])
  const shown = word.text.length > MAX_SHOWN ? `${word.text.slice(0, MAX_SHOWN)}…` : word.text
  const hint = nearest === undefined ? '' : `; the nearest in the newest events is '${nearest}'`
  const message = `no event in scope and window has the word '${shown}'${hint}`
  const warning: Warning = { code: 'query.no_such_word', message, position: word.start + 1 }
  if (nearest === undefined || input.text.length > MAX_REWRITTEN) return warning
  const { start, end } = word
  return { ...warning, replacement: applyEdits(input.text, [{ start, end, text: nearest }]) }
}

function asQuery(filter: Filter) {
  const { start, end } = filter
  const source = { kind: 'filterSource', filter, start, end } as const
  return {
    query: { kind: 'query', source, stages: [], start, end } as const,
    warnings: [],
    edits: [],
  }
}
