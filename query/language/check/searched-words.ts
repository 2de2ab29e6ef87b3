// The words and phrases that a query asks for, each with its scopes: what is looked for when
// nothing is found (search-language#words). Pure.
import type { Filter, Pattern, Query, Scope } from '../tree.ts'

export type SearchedWord = {
  readonly text: string
  readonly isPhrase: boolean
  /** UTF-16 code units from 0. */
  readonly start: number
  readonly end: number
  /** The word within its scopes, and the scopes alone. */
  readonly filter: Filter
  readonly scopes: Filter
  /** Events may be found without it. */
  readonly isAlternative: boolean
}

type Around = { readonly scopes: readonly Scope[]; readonly isAlternative: boolean }

/** Neither what stands under NOT nor what holds wildcards; in order of their places. */
export function searchedWords({ source }: Query): readonly SearchedWord[] {
  if (source.kind === 'transaction') return []
  return wordsIn(source.filter, { scopes: [], isAlternative: false })
}

function wordsIn(filter: Filter, around: Around): readonly SearchedWord[] {
  switch (filter.kind) {
    case 'word':
    case 'phrase': {
      const isPhrase = filter.kind === 'phrase'
      const text = isPhrase ? filter.text : plainText(filter.pattern)
      if (text === undefined) return []
      const { start, end } = filter
      const within = (operand: Filter) =>
        around.scopes.reduceRight<Filter>(
          (inner, scope) => ({ kind: 'scoped', operand: inner, scope, start, end }),
          operand,
        )
      const scopes = within({ kind: 'everything', start, end })
      const { isAlternative } = around
      return [{ text, isPhrase, start, end, filter: within(filter), scopes, isAlternative }]
    }
    case 'and':
      return filter.operands.flatMap((operand) => wordsIn(operand, around))
    case 'or':
      return filter.operands.flatMap((operand) =>
        wordsIn(operand, { ...around, isAlternative: true }),
      )
    case 'scoped':
      return wordsIn(filter.operand, { ...around, scopes: [...around.scopes, filter.scope] })
    default:
      return []
  }
}

function plainText([part, ...more]: Pattern): string | undefined {
  return part?.kind === 'text' && more.length === 0 ? part.text : undefined
}
