// What can stand at the cursor, as the server says: it knows the logs and columns that this user
// may see. Typing never waits for it.
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { completeQuery, type WindowParameters } from '../../shared/api/search.ts'
import { printShort } from '../../shared/format.ts'
import { T } from '../search/texts.ts'
import { STAGE_HELP, WORD_HELP } from './help-lines.ts'

const MOST = 30

/** `readWindow`: whose logs and columns are offered. `leading`: what stands before the text in the
 *  query that it is a part of. */
export async function completeAt(
  context: CompletionContext,
  readWindow: () => WindowParameters,
  leading = '',
): Promise<CompletionResult | null> {
  const { pos, explicit, state } = context
  const before = state.sliceDoc(0, pos)
  // After a word that is whole anything may stand: that is offered on demand.
  if (!explicit && !/[^\s)]$|[=<>|,]\s+$/.test(before)) return null
  const ending = new AbortController()
  context.addEventListener('abort', () => ending.abort())
  try {
    const told = await completeQuery(
      {
        ...{ ...readWindow(), limit: MOST },
        ...{ query: leading + state.doc.toString(), position: leading.length + pos },
      },
      ending.signal,
    )
    const options = told.suggestions.map(({ text, kind, count }, at) => ({
      label: text,
      detail: count === null ? (helpOf(kind, text) ?? T.kinds[kind]) : `${printShort(count)} ×`,
      boost: -at,
    }))
    const at = (position: number) => Math.max(0, position - leading.length)
    return { from: at(told.from), to: at(told.to), options, filter: false }
  } catch {
    // A query that is not finished has no completion; the search says what is wrong with it.
    return null
  }
}

function helpOf(kind: string, text: string): string | undefined {
  if (kind === 'stage') return STAGE_HELP[text]
  return kind === 'word' ? WORD_HELP[text] : undefined
}
