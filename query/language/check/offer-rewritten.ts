// The query as it would be with the change that a warning offers; only where it can be read then.
import type { Warning } from '../../../schemas/warning.ts'
import { applyEdits, type Edit } from './edit.ts'
import type { Finding } from './findings.ts'

/** A longer query is not checked: each warning would hold it whole, and the checks would take
 *  longer than all else of it. */
export const MAX_CHECKED = 4096

/** What is written in another language is rewritten as a whole: `_time:5m level:ERROR`. */
const OF_LANGUAGE: ReadonlySet<string> = new Set(['query.other_language', 'query.quotation_marks'])

/** Whether a warning is of what is written so in another language. */
export function isOfLanguage({ code }: Warning): boolean {
  return OF_LANGUAGE.has(code)
}

/** `canRead`: whether a text is a query. Some changes are right together only: two forgotten
 *  `|`. */
export function offerRewritten(
  text: string,
  found: readonly Finding[],
  canRead: (text: string) => boolean,
): { readonly warnings: readonly Warning[]; readonly edits: readonly Edit[] } {
  const edits = found.flatMap(({ edit }) => edit ?? [])
  if (edits.length === 0) return { warnings: found.map(({ warning }) => warning), edits }
  const all = applyEdits(text, edits)
  const isAllRight = canRead(all)
  const offered: Edit[] = []
  const languageEdits = found
    .filter(({ warning }) => isOfLanguage(warning))
    .flatMap(({ edit }) => edit ?? [])
  const inLanguage = languageEdits.length > 1 ? applyEdits(text, languageEdits) : undefined
  const isInLanguage = inLanguage !== undefined && canRead(inLanguage)
  const warnings = found.map(({ warning, edit }) => {
    if (edit === undefined) return warning
    const alone = applyEdits(text, [edit])
    const isRight = alone === all ? isAllRight : canRead(alone)
    if (isRight) offered.push(edit)
    if (isInLanguage && isOfLanguage(warning)) return { ...warning, replacement: inLanguage }
    if (!isRight && !isAllRight) return warning
    return { ...warning, replacement: isRight ? alone : all }
  })
  return { warnings, edits: isAllRight ? edits : offered }
}
