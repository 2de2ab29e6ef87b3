import type { ImportedBook } from '../../../schemas/portal/pricing/imported-book.ts'
import { nowMs } from '../../shared/clock.ts'
import { Pill } from '../parts/pill.tsx'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.priceBooks

export function BookState({ book }: { readonly book: ImportedBook }) {
  if (book.isInForce) return <Pill tone="good">{T.inForce}</Pill>
  const isLater = Date.parse(book.effectiveFrom) > nowMs()
  return <Pill tone={isLater ? 'info' : 'faint'}>{isLater ? T.later : T.over}</Pill>
}
