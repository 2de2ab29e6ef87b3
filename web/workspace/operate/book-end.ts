// When a price book ceases to be in force. Pure.
import type { ImportedBook } from '../../../schemas/portal/pricing/imported-book.ts'

type Spanned = Pick<ImportedBook, 'effectiveFrom' | 'effectiveTo'>

/**
 * The day on which another takes its place: of those whose time it is, the one that began last is
 * in force. Undefined: it has no end so far.
 */
export function endOf(book: Spanned, all: readonly Spanned[]): string | undefined {
  const days = all.map(({ effectiveFrom }) => effectiveFrom)
  const [next] = days.filter((day) => day > book.effectiveFrom).sort()
  if (book.effectiveTo === null) return next
  return next === undefined || book.effectiveTo < next ? book.effectiveTo : next
}
