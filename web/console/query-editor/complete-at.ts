// What can stand at the cursor, as the server says: it knows the logs and columns that this user
// may see. Typing never waits for it.
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { completeQuery, type WindowParameters } from '../../shared/api/search.ts'
import { printShort } from '../../shared/format.ts'
import { T } from '../search/texts.ts'

const MOST = 30

/** `readWindow`: whose logs and columns are offered. */
export async function completeAt(
  context: CompletionContext,
  readWindow: () => WindowParameters,
): Promise<CompletionResult | null> {
  const { pos, explicit, state } = context
  const before = state.sliceDoc(0, pos)
  // After a word that is whole anything may stand: that is offered on demand.
  if (!explicit && !/[^\s)]$|[=<>|,]\s+$/.test(before)) return null
  const ending = new AbortController()
  context.addEventListener('abort', () => ending.abort())
  try {
    const told = await completeQuery(
      { ...readWindow(), query: state.doc.toString(), position: pos, limit: MOST },
      ending.signal,
    )
    const options = told.suggestions.map(({ text, kind, count }, at) => ({
      label: text,
      detail: count === null ? T.kinds[kind] : `${printShort(count)} ×`,
      boost: -at,
    }))
    return { from: told.from, to: told.to, options, filter: false }
  } catch {
    // A query that is not finished has no completion; the search says what is wrong with it.
    return null
  }
}
