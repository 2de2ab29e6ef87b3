// What the commands of patterns need of ingest/patterns; roles/query.ts hands it over.
import { Failure } from '../../../schemas/failures.ts'
import type { SdkAnswer } from '../../../schemas/sdk/commands.ts'

type Verified = Pick<SdkAnswer<'verifyPattern'>, 'fitting' | 'linesLeft'> & {
  readonly events: SdkAnswer<'verifyPattern'>['results']
}

type Suggested = Pick<SdkAnswer<'suggestPattern'>, 'template' | 'events' | 'fitting'> & {
  readonly patterns: readonly string[]
}

export type PatternTools = {
  /** A text: what is wrong with the patterns. `nowMs` stands for the time of receipt. */
  verify(patterns: readonly string[], sample: string, nowMs: number): Verified | string
  /** undefined: there is no line. */
  suggest(sample: string, nowMs: number): Suggested | undefined
}

/** Where nobody handed any over. */
export const refusePatterns: PatternTools = { verify: refuse, suggest: refuse }

function refuse(): never {
  throw new Failure('request.invalid', { reason: 'this process knows no patterns' })
}
