// What compiling a filter takes: its text, what the user may see, the window, and how dates are
// read.
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { FilterInput } from '../language/compile-filter.ts'
import type { CellStyle } from '../search/print/cell-text.ts'
import type { VisibleScope } from '../search/visible-scope.ts'

/** `nowMs`: what `now` is in the text. */
export function filterInput(
  text: string,
  { window, nowMs }: { readonly window: TimeWindow; readonly nowMs: number },
  { visibleLogs, columns, masks }: VisibleScope,
  { dateFormat, zone }: CellStyle,
): FilterInput {
  const style = { dateFormat: dateFormat.pattern, timeZone: zone.name }
  return { text, visibleLogs, columns, masks, window, nowMs, ...style }
}
