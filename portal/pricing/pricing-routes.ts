// Catalog and quotes: the pricing engine over the price book in force (decisions 9.8, 9.9). Both
// give the same bytes for the same book, day, profile and request.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { printCanonical } from '../../schemas/portal/canonical-json.ts'
import type { PricingCaller } from '../../schemas/portal/pricing/caller.ts'
import { catalogSchema } from '../../schemas/portal/pricing/catalog.ts'
import {
  catalogQuery,
  quoteAnswer,
  quoteRequest,
} from '../../schemas/portal/pricing/imported-book.ts'
import type { PricingError } from '../../schemas/portal/pricing/quote.ts'
import { type Caller, EVERY_ROLE, organizationOf } from '../access/caller.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'
import { catalogFor } from './engine/catalog-for.ts'
import { quote } from './engine/quote.ts'
import { quoteMany } from './engine/quote-many.ts'
import { type BookInForce, dayOf, type PriceBooks } from './price-books.ts'
import { findProfile, toPricingCaller } from './pricing-caller.ts'

const TAG = 'pricing'
const MAX_CATALOGS = 100

type Catalog = { readonly text: string; readonly etag: string }

export function makePricingRoutes(deps: PortalDeps, books: PriceBooks): ServedRoute[] {
  const { database, serve } = deps
  const catalogs = new Map<string, Catalog>()
  const prepare = async (caller: Caller, nowMs: number) => {
    const day = dayOf(nowMs)
    const inForce = await books.inForce(day)
    const profile = await findProfile(database.read, organizationOf(caller))
    return { day, inForce, asker: toPricingCaller(caller, profile, inForce.book) }
  }
  const catalogOf = ({ id, book }: BookInForce, asker: PricingCaller, day: string): Catalog => {
    const name = printCanonical([id, asker, day])
    const known = catalogs.get(name)
    if (known !== undefined) return known
    const outcome = catalogFor(book, asker, day)
    if (outcome.kind === 'refused') throw toRefusal(outcome.errors)
    const text = `${printCanonical(outcome.catalog)}\n`
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
    const [oldest] = catalogs.keys()
    if (catalogs.size >= MAX_CATALOGS && oldest !== undefined) catalogs.delete(oldest)
    catalogs.set(name, { text, etag })
    return { text, etag }
  }
  return [
    serve.read(
      {
        ...{ method: 'GET', path: '/pricing/catalog', tag: TAG, operationId: 'readCatalog' },
        summary: 'The price book in force, as the caller may see it',
        description: 'Prices of a channel are for callers of that channel alone.',
        allows: { nobody: true, roles: EVERY_ROLE, scope: 'catalog:read', operator: true },
        query: catalogQuery,
        headers: {
          'If-None-Match': z.string().optional().meta({ description: 'ETags of what is there.' }),
        },
        answers: {
          200: {
            description: 'The catalog.',
            schema: catalogSchema,
            headers: { ETag: z.string() },
          },
          304: { description: 'As `If-None-Match` names it.' },
        },
      },
      async ({ request, caller, query, nowMs }) => {
        const { day, inForce, asker } = await prepare(caller, nowMs)
        const { currency = asker.currency, region = asker.region } = query
        const { text, etag } = catalogOf(inForce, { ...asker, currency, region }, day)
        const headers = { etag, vary: 'authorization, cookie, x-organization-id' }
        if (isKnown(request.headers.get('if-none-match'), etag))
          return new Response(null, { status: 304, headers })
        return answerJson(text, headers)
      },
    ),
    serve.read(
      {
        ...{ method: 'POST', path: '/pricing/quote', tag: TAG, operationId: 'quote' },
        summary: 'Price the state of an offer, or compare several',
        description: 'Changes nothing. The same state, price book and day give the same bytes.',
        allows: { nobody: true, roles: EVERY_ROLE, scope: 'quote:write', operator: true },
        body: quoteRequest,
        answers: { 200: { description: 'Priced lines and totals.', schema: quoteAnswer } },
      },
      async ({ body, caller, nowMs }) => {
        const { day, inForce, asker } = await prepare(caller, nowMs)
        if ('states' in body)
          return answerJson(`${printCanonical(quoteMany(inForce.book, body.states, asker, day))}\n`)
        const outcome = quote(inForce.book, body, asker, day)
        if (outcome.kind === 'refused') throw toRefusal(outcome.errors)
        return answerJson(`${printCanonical(outcome.quote)}\n`)
      },
    ),
  ]
}

/** `under`: where the state stands in the request. */
export function toRefusal(errors: readonly PricingError[], under = ''): InvalidRequest {
  const faults = errors.map(({ path, message, code }) => ({ pointer: under + path, message, code }))
  return new InvalidRequest(faults, 'portal.cannot_be_priced')
}

/** Weak tags count, too (RFC 9110). */
function isKnown(given: string | null, etag: string): boolean {
  if (given === null) return false
  const tags = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes('*') || tags.includes(etag)
}

function answerJson(text: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(text, { headers: { ...headers, 'content-type': 'application/json' } })
}
