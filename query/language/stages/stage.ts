// What every stage file gives: how the stage is read and printed, and what rows it leaves. One file
// a stage.
import type { ParseContext, RowState } from '../parse/parse-context.ts'
import type { Filter, Query, Stage } from '../tree.ts'

export type StageSyntax<Node extends Stage> = {
  /** First words that begin the stage, lower case. */
  readonly words: readonly string[]
  /** Reads the stage; the input stands at its first word. */
  parse(context: ParseContext, before: RowState): Node
  print(stage: Node, printer: StagePrinter): string
  /** Rows after the stage; left out: the same rows, no open aggregation. */
  after?(stage: Node, before: RowState): RowState
}

/** Handed over to avoid a cycle of modules. */
export type StagePrinter = {
  printFilter(filter: Filter): string
  printQuery(query: Query): string
}

/** Rows of the same kind, no longer directly after an aggregation. */
export function closeAggregation(before: RowState): RowState {
  return { ...before, aggregation: null }
}
