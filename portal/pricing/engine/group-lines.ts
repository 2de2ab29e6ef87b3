// Lines of one item are priced as one quantity: tiers, free units, minimum and maximum count once,
// however the quantity is split (specification 9.4). Each line bears its share.
import type { OfferLine, OfferState } from '../../../schemas/portal/pricing/offer-state.ts'
import { type Decimal, decimal, sum } from './decimal.ts'

export type LineGroup = {
  /** The lines in the order of the offer. */
  readonly lines: readonly OfferLine[]
  readonly quantity: Decimal
  /** Of all lines, in order. */
  readonly transactions: readonly Decimal[]
}

/** The lines that are priced together with the line at this index, itself included: those of the
 *  same item, and for recurring prices only those whose days overlap, directly or by another. */
export function groupOf(state: OfferState, at: number, isOnce: boolean): LineGroup {
  const own = state.lines[at]
  const groups = groupsOf(state, isOnce)
  const known = own && groups.get(own)
  if (known !== undefined) return known
  const same = state.lines.filter(({ item }) => item === own?.item)
  const lines = isOnce ? same : overlapping(same, own, state)
  const group = {
    lines,
    quantity: sum(lines.map(({ quantity }) => decimal(quantity))),
    transactions: lines.flatMap(({ transactions, quantity }) =>
      (transactions ?? [quantity]).map(decimal),
    ),
  }
  for (const line of lines) groups.set(line, group)
  return group
}

type Groups = Map<OfferLine, LineGroup>
const KNOWN = new WeakMap<OfferState, { readonly once: Groups; readonly recurring: Groups }>()

/** Each group once: an offer may have hundreds of lines of one item. */
function groupsOf(state: OfferState, isOnce: boolean): Groups {
  const known = KNOWN.get(state) ?? { once: new Map(), recurring: new Map() }
  KNOWN.set(state, known)
  return isOnce ? known.once : known.recurring
}

function overlapping(
  lines: readonly OfferLine[],
  own: OfferLine | undefined,
  { period }: OfferState,
): readonly OfferLine[] {
  const from = (line: OfferLine | undefined) => line?.from ?? period?.from ?? ''
  const to = (line: OfferLine | undefined) => line?.to ?? period?.to ?? '~'
  // Sorted by their beginning, lines that overlap follow each other; a gap ends a run.
  const sorted = [...lines].sort((a, b) => (from(a) < from(b) ? -1 : from(a) > from(b) ? 1 : 0))
  const run: OfferLine[] = []
  let end = ''
  for (const line of sorted) {
    if (run.length > 0 && from(line) >= end) {
      if (own !== undefined && run.includes(own)) break
      run.length = 0
    }
    end = run.length === 0 || to(line) > end ? to(line) : end
    run.push(line)
  }
  return lines.filter((line) => run.includes(line))
}
