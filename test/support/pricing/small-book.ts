// A price book with one item, or more, for tests of single things.
import { readPriceBook } from '../../../portal/pricing/engine/book/read-price-book.ts'
import type { PricingCaller } from '../../../schemas/portal/pricing/caller.ts'
import type { PriceBook } from '../../../schemas/portal/pricing/price-book.ts'

export const ANYBODY: PricingCaller = { channel: null, region: null, currency: null, role: null }

type Fields = Readonly<Record<string, unknown>>

export function makeItem(sku: string, prices: readonly Fields[], fields: Fields = {}): Fields {
  const priced = prices.map((price) => ({ currency: 'USD', per: 'once', ...price }))
  return { sku, name: sku, unit: { one: 'unit', many: 'units' }, prices: priced, ...fields }
}

export function makeDocument(items: readonly Fields[], fields: Fields = {}): Fields {
  return {
    format: 'logeye.pricebook/1',
    id: 'small',
    version: '1',
    effectiveFrom: '2026-01-01',
    currencies: ['USD', 'EUR', 'JPY', 'KWD'],
    grantLimits: [{ currency: 'EUR', credit: '1000000', volumeBytesPerDay: null }],
    items,
    ...fields,
  }
}

export function makeBook(items: readonly Fields[], fields: Fields = {}): PriceBook {
  const read = readPriceBook(makeDocument(items, fields))
  if (read.kind === 'refused') throw new Error(JSON.stringify(read.problems))
  return read.book
}
