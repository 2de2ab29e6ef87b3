// Reads a price book: its shape first, then what no shape can say. All that is wrong is told at
// once, each with its place.
import { type PriceBook, priceBookSchema } from '../../../../schemas/portal/pricing/price-book.ts'
import { type BookProblem, findRepeated, findUnknown, problem } from './book-problem.ts'
import { checkItem, checkPercent, checkSpan, knownNames } from './check-item.ts'
import { checkPromotion } from './check-promotion.ts'

export type ReadPriceBook =
  | { readonly kind: 'read'; readonly book: PriceBook }
  | { readonly kind: 'refused'; readonly problems: readonly BookProblem[] }

/** `document`: what JSON.parse gives. */
export function readPriceBook(document: unknown): ReadPriceBook {
  const { success, data, error } = priceBookSchema.safeParse(document)
  if (!success) {
    const problems = error.issues.map(({ path, message }) => problem(toPointer(path), message))
    return { kind: 'refused', problems }
  }
  const problems = checkBook(data)
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'read', book: data }
}

function checkBook(book: PriceBook): BookProblem[] {
  const known = knownNames(book)
  const { terms, promotions, discountLimits, grantLimits } = book
  const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
  const limits = discountLimits.map(({ role, channel }) => `${role} ${channel ?? ''}`.trim())
  return [
    ...checkSpan(book.effectiveFrom, book.effectiveTo, '/effectiveTo'),
    ...findRepeated(book.currencies, (at) => `/currencies/${at}`),
    ...findRepeated(ids(book.regions), (at) => `/regions/${at}/id`),
    ...findRepeated(ids(book.channels), (at) => `/channels/${at}/id`),
    ...findRepeated(ids(terms), (at) => `/terms/${at}/id`),
    ...findRepeated(
      book.items.map(({ sku }) => sku),
      (at) => `/items/${at}/sku`,
    ),
    ...findRepeated(
      promotions.map(({ code }) => code),
      (at) => `/promotions/${at}/code`,
    ),
    ...findRepeated(limits, (at) => `/discountLimits/${at}`),
    ...findRepeated(
      grantLimits.map(({ currency }) => currency),
      (at) => `/grantLimits/${at}/currency`,
    ),
    ...findUnknown(
      terms.map(({ channel }) => channel),
      known.channels,
      'channel',
      (at) => `/terms/${at}/channel`,
    ),
    ...findUnknown(
      discountLimits.map(({ channel }) => channel),
      known.channels,
      'channel',
      (at) => `/discountLimits/${at}/channel`,
    ),
    ...terms.flatMap((term, at) =>
      checkPercent(term.discountPercent, `/terms/${at}/discountPercent`),
    ),
    ...discountLimits.flatMap(({ percent }, at) =>
      checkPercent(percent, `/discountLimits/${at}/percent`),
    ),
    ...book.items.flatMap((item, at) => checkItem(item, `/items/${at}`, known)),
    ...promotions.flatMap((promotion, at) => checkPromotion(promotion, `/promotions/${at}`, known)),
  ]
}

/** RFC 6901. */
function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
}
