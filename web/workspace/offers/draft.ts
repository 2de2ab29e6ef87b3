// What the quote builder holds while somebody types, and what it makes of it for the API.
import type { OfferTold } from '../../../schemas/portal/offers.ts'
import { nowMs } from '../../shared/clock.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 30
const GB = 1_000_000_000

export type Discount = {
  readonly kind: 'percent' | 'amount'
  /** '': none. */
  readonly value: string
  readonly reason: string
}
export type DraftLine = {
  readonly item: string
  readonly quantity: string
  readonly discount: Discount
}
export type Draft = {
  readonly title: string
  /** 2026-12-24 */
  readonly validUntil: string
  readonly term: string
  readonly lines: readonly DraftLine[]
  readonly promotions: string
  readonly discount: Discount
  readonly taxName: string
  readonly taxPercent: string
  /** `new`, `none`, or a kind of change and the id of a licence: `extend lcs_…`; '': undecided. */
  readonly license: string
  /** Of the licence; '' of its name: none. */
  readonly planName: string
  readonly planGbPerDay: string
  readonly creditPrice: string
  readonly credit: string
  /** Of what the builder does not show; it stays. */
  readonly kept: Omit<Content, 'lines'> & { readonly lines: readonly Content['lines'][number][] }
  readonly keptFeatures: readonly string[]
}
type Content = OfferTold['content']

export const NO_DISCOUNT: Discount = { kind: 'percent', value: '', reason: '' }

export function emptyDraft(): Draft {
  return {
    title: '',
    validUntil: new Date(nowMs() + USUAL_DAYS * DAY_MS).toISOString().slice(0, 10),
    term: '',
    lines: [{ item: '', quantity: '1', discount: NO_DISCOUNT }],
    promotions: '',
    discount: NO_DISCOUNT,
    taxName: '',
    taxPercent: '',
    license: '',
    planName: '',
    planGbPerDay: '',
    creditPrice: '',
    credit: '',
    kept: { lines: [] },
    keptFeatures: [],
  }
}

export function draftOf(offer: OfferTold): Draft {
  const { title, content, validUntil, plan, license, credit } = offer
  const [tax] = content.taxes ?? []
  const isPercent = tax?.kind === 'percent'
  return {
    ...{ title, validUntil: validUntil.slice(0, 10), term: content.term ?? '' },
    lines: content.lines.map((line) => ({
      ...{ item: line.item, quantity: line.quantity },
      discount: discountOf(line.discount),
    })),
    promotions: (content.promotions ?? []).join(', '),
    discount: discountOf(content.discount),
    taxName: isPercent ? tax.name : '',
    taxPercent: isPercent ? tax.value : '',
    license:
      license === null
        ? ''
        : 'licenseId' in license
          ? `${license.kind} ${license.licenseId}`
          : license.kind,
    planName: plan?.name ?? '',
    planGbPerDay: plan === null ? '' : String(plan.volumeBytesPerDay / GB),
    creditPrice: plan?.creditPricePerGib ?? '',
    credit: credit ?? '',
    kept: content,
    keptFeatures: plan?.features ?? [],
  }
}

/** The state that is priced; lines without an item are not yet any. */
export function contentOf(draft: Draft): Content {
  const { kept, term, taxName, taxPercent } = draft
  const promotions = draft.promotions.split(/[\s,]+/).filter(Boolean)
  const others = (kept.taxes ?? []).slice(kept.taxes?.[0]?.kind === 'percent' ? 1 : 0)
  const taxes =
    taxPercent === ''
      ? others
      : [
          {
            name: taxName || `${taxPercent} %`,
            kind: 'percent' as const,
            value: taxPercent,
          },
          ...others,
        ]
  const discount = givenDiscount(draft.discount)
  return {
    ...(kept.currency === undefined ? {} : { currency: kept.currency }),
    ...(kept.region === undefined ? {} : { region: kept.region }),
    ...(kept.period === undefined ? {} : { period: kept.period }),
    ...(kept.credits === undefined ? {} : { credits: kept.credits }),
    lines: draft.lines.flatMap((line, at) => {
      if (line.item === '') return []
      const before = kept.lines[at]
      const ownDiscount = givenDiscount(line.discount)
      return [
        {
          ...(before?.item === line.item ? withoutDiscount(before) : {}),
          ...{ item: line.item, quantity: line.quantity.trim() },
          ...(ownDiscount === undefined ? {} : { discount: ownDiscount }),
        },
      ]
    }),
    ...(term === '' ? {} : { term }),
    ...(promotions.length === 0 ? {} : { promotions }),
    ...(discount === undefined ? {} : { discount }),
    ...(taxes.length === 0 ? {} : { taxes }),
  }
}

/** The offer takes no plan: it makes no licence, or lets one last longer. */
export function isWithoutPlan({ license }: Pick<Draft, 'license'>): boolean {
  return license === 'none' || license.startsWith('extend ')
}

/** What it does to the licence and gives, by the vendor's staff alone. */
export function planOf(draft: Draft) {
  const { license, planName, planGbPerDay, creditPrice, credit, keptFeatures } = draft
  const price = creditPrice.trim()
  const [kind = '', licenseId] = license.split(' ')
  return {
    license: kind === '' ? null : { kind, ...(licenseId === undefined ? {} : { licenseId }) },
    plan:
      planName.trim() === '' || isWithoutPlan(draft)
        ? null
        : {
            name: planName.trim(),
            volumeBytesPerDay: Math.round(Number(planGbPerDay || '0') * GB),
            features: keptFeatures,
            ...(price === '' ? {} : { creditPricePerGib: price }),
          },
    credit: credit.trim() === '' ? null : credit.trim(),
  }
}

function withoutDiscount({ discount: _, ...line }: Content['lines'][number]) {
  return line
}

function discountOf(given: Content['discount']): Discount {
  return given === undefined
    ? NO_DISCOUNT
    : { kind: given.kind, value: given.value, reason: given.reason ?? '' }
}

function givenDiscount({ kind, value, reason }: Discount): Content['discount'] {
  if (value.trim() === '') return undefined
  return {
    ...{ kind, value: value.trim() },
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  }
}
