// An offer as a document that a customer files: what the offer says, and nothing of the moment in
// which it is printed.
import { BOX } from '../../infra/pdf/fonts.ts'
import { Paper, STYLES } from '../../infra/pdf/paper.ts'
import { type Cell, drawPairs, drawSums, drawTable, WHOLE_SHARE } from '../../infra/pdf/table.ts'
import type { OfferTold } from '../../schemas/portal/offers.ts'
import type { QuotedLine } from '../../schemas/portal/pricing/quote.ts'
import { sayMonths } from '../pricing/engine/duration.ts'

type Parts = {
  readonly offer: OfferTold
  /** Names. */
  readonly vendor: string
  readonly customer: string
  /** Of this version. */
  readonly madeMs: number
}

const STATES: Readonly<Record<OfferTold['state'], string>> = {
  draft: 'Draft: not binding, and not sent yet',
  sent: 'Sent',
  accepted: 'Accepted',
  rejected: 'Rejected',
  expired: 'Expired',
}
const MINUS = '\u2212'

export async function printOffer({ offer, vendor, customer, madeMs }: Parts): Promise<Buffer> {
  const { quote } = offer
  const { currency, totals } = quote
  const paper = new Paper({
    ...{ title: `${offer.title} (offer)`, author: vendor, madeMs },
    subject: `Offer ${offer.id}, version ${offer.version}, to ${customer}`,
    footer: `Offer ${offer.id}, version ${offer.version}`,
    mark: offer.state === 'draft' ? 'DRAFT' : '',
  })
  paper.write(vendor, { style: STYLES.strong, gap: 6 })
  paper.write(offer.title, { style: STYLES.title, tag: 'H1', outline: true, gap: 8 })
  drawPairs(paper, [
    ['Offer', `${offer.id}, version ${offer.version}`],
    ['State', stateOf(offer)],
    ['From', vendor],
    ['To', customer],
    ['Date', formatDay(offer.sentAt ?? new Date(madeMs).toISOString())],
    ['Valid until', formatTime(offer.validUntil)],
    ['Total', `${currency} ${formatAmount(totals.due)}`],
  ])
  paper.y += 16
  const keep = paper.pageHeight * WHOLE_SHARE + 40
  const heading = { style: STYLES.heading, tag: 'H2', outline: true, gap: 6 }
  paper.write('What is offered', { ...heading, keep })
  await drawTable(
    paper,
    [
      { title: 'Description', share: 0.48 },
      { title: 'Quantity', share: 0.16, isRight: true },
      { title: 'Unit price', share: 0.17, isRight: true },
      { title: `Amount (${currency})`, share: 0.19, isRight: true },
    ],
    quote.lines.map((line) => rowOf(line)),
  )
  paper.y += 4
  drawSums(paper, sumsOf(offer))
  if (offer.effects.length > 0) {
    paper.y += 18
    paper.write('What changes', heading)
    for (const effect of offer.effects) paper.write(effect, { gap: 2 })
  }
  paper.y += 18
  paper.write('Terms', heading)
  drawPairs(paper, termsOf(offer))
  if (quote.warnings.length > 0) {
    paper.y += 14
    paper.write('Notes', heading)
    for (const { message } of quote.warnings) paper.write(message, { gap: 2 })
  }
  paper.y += 14
  const basis = `Prices of the price book ${quote.priceBook.id}, version ${quote.priceBook.version}, of ${formatDay(quote.date)}.`
  paper.write(basis, { style: STYLES.small })
  const rounding =
    'The list price of each line and each discount on it are rounded to the digits of the currency, half to even; the totals are sums of the lines.'
  paper.write(rounding, { style: STYLES.small })
  const box = `${BOX} stands for a letter that the font of this document does not have.`
  if (paper.hasBoxes) paper.write(box, { style: STYLES.small })
  return await paper.finish()
}

function stateOf({ state, decidedAt, validUntil }: OfferTold): string {
  const at = state === 'expired' ? validUntil : decidedAt
  return at === null ? STATES[state] : `${STATES[state]} on ${formatDay(at)}`
}

function rowOf(line: QuotedLine): readonly Cell[] {
  const { body, small, strong } = STYLES
  const { discounts, per } = line
  const isReduced = discounts.length > 0
  const price = line.unitPrice === null ? '\u2013' : formatAmount(line.unitPrice)
  return [
    [
      { text: line.name, style: strong },
      ...line.explanation.map((text) => ({ text, style: small })),
      ...discounts.map(({ name, amount }) => ({
        text: `${name}: ${MINUS}${formatAmount(amount)}`,
        style: small,
      })),
    ],
    [
      { text: line.quantity, style: body },
      { text: line.unit, style: small },
    ],
    [
      { text: price, style: body },
      ...(per === 'once' ? [] : [{ text: `per ${per}, ${line.periods} ×`, style: small }]),
    ],
    [
      { text: formatAmount(line.net), style: strong },
      ...(isReduced ? [{ text: `list ${formatAmount(line.list)}`, style: small }] : []),
    ],
  ]
}

function sumsOf({ quote: { totals, currency } }: OfferTold) {
  const isSome = (amount: string) => /[1-9]/.test(amount)
  return [
    { name: 'List price', amount: formatAmount(totals.list) },
    ...(isSome(totals.discounts)
      ? [{ name: 'Discounts', amount: `${MINUS}${formatAmount(totals.discounts)}` }]
      : []),
    { name: 'Net', amount: formatAmount(totals.net) },
    ...totals.taxes.map(({ name, amount }) => ({ name, amount: formatAmount(amount) })),
    ...totals.credits.map(({ name, applied }) => ({
      name,
      amount: `${MINUS}${formatAmount(applied)}`,
    })),
    { name: 'Total', amount: `${currency} ${formatAmount(totals.due)}`, isStrong: true },
  ]
}

function termsOf({ quote, plan, credit }: OfferTold): (readonly [string, string])[] {
  const { term, months, region, currency } = quote
  const terms: (readonly [string, string | null | undefined])[] = [
    ['Duration', months === null ? 'Paid once' : sayMonths(months)],
    ['Term', term?.name],
    ['Region', region],
    ['Plan', plan?.name],
    ['Volume', plan && `${formatAmount(String(plan.volumeBytesPerDay))} bytes a day`],
    ['Features', plan?.features.join(', ')],
    [
      'Price from credits',
      plan?.creditPricePerGib && `${currency} ${plan.creditPricePerGib} a GiB`,
    ],
    ['Credits', credit && `${currency} ${formatAmount(credit)}`],
  ]
  return terms.flatMap(([name, value]) => (value ? [[name, value] as const] : []))
}

/** Thousands apart; a sign in front as it is printed. */
function formatAmount(amount: string): string {
  const [whole = '', digits] = amount.replace(/^-/, MINUS).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return digits === undefined ? grouped : `${grouped}.${digits}`
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** Of a day or a time in UTC. */
function formatDay(text: string): string {
  const [year = '', month = '', day = ''] = text.slice(0, 10).split('-')
  return `${day.replace(/^0/, '')} ${MONTHS[Number(month) - 1]} ${year}`
}

function formatTime(text: string): string {
  return `${formatDay(text)}, ${text.slice(11, 16)} UTC`
}
