// Every stage of the language, by kind. A new stage is a file of its own and a line here.
import type { Stage, StageKind } from '../tree.ts'
import { datastream } from './datastream.ts'
import { dedup } from './dedup.ts'
import { display } from './display.ts'
import { extract } from './extract.ts'
import { functions } from './functions.ts'
import { groupBy } from './group-by.ts'
import { interval } from './interval.ts'
import { join } from './join.ts'
import { limit } from './limit.ts'
import { list } from './list.ts'
import { orderBy } from './order-by.ts'
import { percentileCut } from './percentile-cut.ts'
import { replace } from './replace.ts'
import { round } from './round.ts'
import type { StageSyntax } from './stage.ts'
import { transpose } from './transpose.ts'
import { where } from './where.ts'

type Syntaxes = { readonly [Kind in StageKind]: StageSyntax<Stage & { readonly kind: Kind }> }

// percentileCut before functions: `percentile 95` alone is the row filter.
const SYNTAXES: Syntaxes = {
  percentileCut,
  functions,
  groupBy,
  interval,
  datastream,
  list,
  orderBy,
  where,
  limit,
  display,
  extract,
  replace,
  round,
  dedup,
  transpose,
  join,
}

export const STAGE_WORDS: readonly string[] = Object.values(SYNTAXES).flatMap((syntax) => [
  ...syntax.words,
])

export function stageSyntax(kind: StageKind): StageSyntax<Stage> {
  return SYNTAXES[kind]
}

/** The stage that begins with this word (lower case). */
export function stageByWord(word: string, isCut: boolean): StageSyntax<Stage> | undefined {
  for (const syntax of Object.values(SYNTAXES)) {
    if (syntax === percentileCut && !isCut) continue
    if (syntax.words.includes(word)) return syntax
  }
  return undefined
}
