// A change of a query's text that a warning has to offer.

/** What stands from start to end, in UTF-16 code units from 0, is replaced. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string }

/** Of two changes of one place the first counts. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let changed = ''
  let from = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < from) continue
    changed += text.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return changed + text.slice(from)
}
