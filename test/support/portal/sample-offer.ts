// Offers as the engine prices them, for what prints them.
import type { OfferTold } from '../../../schemas/portal/offers.ts'
import type { QuotedLine } from '../../../schemas/portal/pricing/quote.ts'

export function makeLine(fields: Partial<QuotedLine> = {}): QuotedLine {
  return {
    ...{ item: 'logs', name: 'Log volume', quantity: '7', unit: 'GB a day', per: 'month' },
    ...{ periods: '12', days: null, periodDays: null, unitPrice: '10.01' },
    ...{ list: '840.84', net: '782.00' },
    discounts: [{ source: 'term', name: 'One year (7 %)', amount: '58.84' }],
    explanation: ['7 GB a day at 10.01 for 12 months: 840.84.', 'Less 7 % for one year: 58.84.'],
    ...fields,
  }
}

export function makeTold(
  lines: readonly QuotedLine[] = [makeLine()],
  fields: Partial<OfferTold> = {},
): OfferTold {
  return {
    ...{ id: 'ofr_01m88ad5tpmmnmzw3yz9cwcg24', organizationId: 'org_x', state: 'sent', version: 3 },
    ...{ title: 'Logeye for Example GmbH', credit: '1500.00', licenseId: null },
    ...{ approval: 'price_book', license: null, effects: [], rejectionReason: null },
    content: { lines: [] } as never,
    plan: {
      ...{ name: 'Team', volumeBytesPerDay: 7_000_000_000, features: ['single sign-on', 'audit'] },
    },
    quote: {
      priceBook: { id: 'list', version: '2026-11' },
      ...{ date: '2026-11-24', currency: 'EUR', region: 'eu', warnings: [] },
      ...{ term: { id: 'year', name: 'One year', months: 12 }, months: 12 },
      lines: [...lines],
      totals: {
        ...{ list: '840.84', discounts: '58.84', net: '782.00', tax: '148.58' },
        taxes: [{ name: 'VAT 19 %', amount: '148.58' }],
        credits: [{ name: 'Welcome credit', applied: '100.00', left: '0.00' }],
        ...{ creditsApplied: '100.00', due: '1234830.58' },
      },
    },
    ...{ validUntil: '2027-01-31T12:00:00.000Z', createdAt: '2026-11-24T10:00:00.000Z' },
    ...{ sentAt: '2026-11-24T11:00:00.000Z', decidedAt: null },
    ...fields,
  }
}

/** What a sender may write to break a document. */
export const HOSTILE = [
  'a'.repeat(400),
  '\u202egnp.exe\u202c (right to left)',
  'Z\u0335\u0321\u0322\u0323\u0324\u0325\u0326\u0327\u0328algo'.repeat(4),
  'nul\0 bell\x07 escape\x1b[31m tab\t\nline\r\n\u2028separator',
  '中文 한국어 ภาษาไทย العربية עברית 😀👨‍👩‍👧',
  'Ελληνικά Кириллица Українська ďťžř ışğ ₹₺₽₿₴₸€£¥₩',
  '\ud800 lone (parens) \\) Tj ET <</JS(app.alert(1))>> %PDF',
  `${'word '.repeat(300)}end`,
  '->  => !=  www.example.com  3x4  10:30',
]
