// What is asked of the store beside a search, so that its answer says what is doubtful about it
// (looks.ts): for a short time only.
import type { Clock } from '../../infra/clock.ts'
import type { Warning } from '../../schemas/warning.ts'
import type { Statement } from '../language/compile-filter.ts'

export type AskStore = (statement: Statement, signal: AbortSignal) => Promise<unknown[][]>

export type Look = {
  /** Of what stands here, in UTF-16 code units from 0. */
  readonly start: number
  /** Also where the answer has rows. */
  readonly isAlways: boolean
  /** It is known without the store that the answer may not be what was meant. */
  readonly isDoubt: boolean
  run(ask: (statement: Statement) => Promise<unknown[][]>): Promise<Warning | undefined>
}

export type Hints = {
  readonly looks: readonly Look[]
  /** Its answer has a row whatever there is. */
  readonly isNeverEmpty: boolean
}

export type WordHints = {
  /** Once the search has answered: what is known by then, or a little later. `hasRows`: its answer
   *  has rows. */
  settle(hasRows: boolean): Promise<readonly Warning[]>
  /** Ends what is still asked. */
  close(): void
}

/** A search has its threads by then, and most have ended. */
export const BESIDE_AFTER_MS = 50
const NOTHING: WordHints = { settle: () => Promise.resolve([]), close: () => {} }

/**
 * To be called when the search has begun. What is asked whatever it finds is asked beside it, the
 * rest only where it finds nothing. The answer waits until `withinMs` after the search began; where
 * nothing is found for `withinMs` more, since then these warnings are all that it has. That
 * something is not known by then is told only there, and of tests that are doubtful anyhow.
 */
export function beginWordHints(
  readHints: () => Hints,
  { withinMs }: { readonly withinMs: number },
  ask: AskStore,
  clock: Clock,
): WordHints {
  if (withinMs === 0) return NOTHING
  const { looks, isNeverEmpty } = readHints()
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

function notChecked(start: number, withinMs: number): Warning {
  const message = `whether events have the words and values of this query was not known within ${withinMs} ms: what is misspelled here is not told; the same call again or explain may tell it`
  return { code: 'query.not_checked', message, position: start + 1 }
}
