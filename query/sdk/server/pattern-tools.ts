// Patterns and filters as arguments of commands; what is needed of ingest/patterns roles/query.ts
// hands over.
import { Failure, isFailure } from '../../../schemas/failures.ts'
import type { SdkAnswer } from '../../../schemas/sdk/commands.ts'
import { type KnownColumn, makeEventFilter } from '../../language/event-filter.ts'

type Verified = Pick<SdkAnswer<'verifyPattern'>, 'fitting' | 'linesLeft'> & {
  readonly events: SdkAnswer<'verifyPattern'>['results']
}

type Suggested = Pick<SdkAnswer<'suggestPattern'>, 'template' | 'events' | 'fitting'> & {
  readonly patterns: readonly string[]
}

export type PatternTools = {
  /** A text: what is wrong with the patterns. `nowMs` stands for the time of receipt. */
  verify(patterns: readonly string[], sample: string, nowMs: number): Verified | string
  /** undefined: there is no line. `pause` lets other calls go on. */
  suggest(sample: string, nowMs: number, pause: () => Promise<void>): Promise<Suggested | undefined>
}

/** Where nobody handed any over. */
export const refusePatterns: PatternTools = { verify: refuse, suggest: refuse }

function refuse(): never {
  throw new Failure('request.invalid', { reason: 'this process knows no patterns' })
}

/** Fails with sdk.argument: which pattern is wrong, and where. */
export function requirePatterns(
  tools: PatternTools,
  argument: string,
  patterns: readonly string[],
  nowMs: number,
): void {
  for (const [i, pattern] of patterns.entries()) {
    const verified = tools.verify([pattern], '', nowMs)
    if (typeof verified !== 'string') continue
    const place = patterns.length === 1 ? '' : `pattern ${i + 1}, `
    throw new Failure('sdk.argument', { argument, reason: `${place}${verified}` })
  }
}

/** '' is none. Throws Failure `sdk.argument` { argument, reason }. */
export function requireEventFilter(
  argument: string,
  text: string,
  known: readonly KnownColumn[],
): void {
  if (text.trim() === '') return
  try {
    makeEventFilter(text, known)
  } catch (error) {
    if (!isFailure(error)) throw error
    throw new Failure('sdk.argument', { argument, reason: error.message }, error)
  }
}
