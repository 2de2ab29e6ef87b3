// Offers up to the moment they are sent: each change of a draft is priced anew and makes a version
// (decision 9.10).
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { Failure } from '../../schemas/failures.ts'
import { printCanonical } from '../../schemas/portal/canonical-json.ts'
import { pageOf } from '../../schemas/portal/common.ts'
import {
  changedOffer,
  newOffer,
  type OfferApproval,
  type Offered,
  offer,
  offersQuery,
} from '../../schemas/portal/offers.ts'
import {
  type Caller,
  EVERY_ROLE,
  isOperator,
  nameCaller,
  organizationOf,
} from '../access/caller.ts'
import { newId } from '../access/ids.ts'
import type { PortalReader, PortalTransaction } from '../database/open.ts'
import type { OfferRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { InvalidRequest } from '../edge/invalid-request.ts'
import { currencyOfCredits } from '../license/credit-routes.ts'
import { quote } from '../pricing/engine/quote.ts'
import { dayOf, type PriceBooks } from '../pricing/price-books.ts'
import { findProfile, toPricingCaller } from '../pricing/pricing-caller.ts'
import { toRefusal } from '../pricing/pricing-routes.ts'
import {
  findOffer,
  isStaff,
  listedOffers,
  readVersion,
  requireState,
  tellOffer,
} from './find-offers.ts'
import { isWithinGrantLimits } from './grant-limits.ts'
import { type Fault, findLicenseFaults, nameLicense, planAfter } from './license-change.ts'
import { putOfferEvent } from './put-offer-event.ts'

const TAG = 'offers'
const SELLERS = { roles: ['sales', 'channel', 'operator'], operator: true } as const
const READERS = { roles: EVERY_ROLE, operator: true, scope: 'offers:read' } as const
type Version = {
  readonly offered: Offered
  readonly priced: string
  readonly approval: OfferApproval | null
  readonly madeBy: string
  readonly nowMs: number
}

export function makeOfferRoutes(deps: PortalDeps, books: PriceBooks): ServedRoute[] {
  const { database, clock, cursors, serve } = deps
  /** Prices with the profile of the organization, and the limits of who calls; says who approves
   *  what is given. */
  const makePricer = async (caller: Caller, organizationId: string, nowMs: number) => {
    const day = dayOf(nowMs)
    const { book } = await books.inForce(day)
    const profile = await findProfile(database.read, organizationId)
    const asker = toPricingCaller(caller, profile, book)
    return (offered: Offered, plan: Offered['plan'], currency: string) => {
      const outcome = quote(book, offered.content, asker, day)
      if (outcome.kind === 'refused') throw toRefusal(outcome.errors, '/content')
      const approval: OfferApproval | null = isOperator(caller)
        ? 'operator'
        : isWithinGrantLimits({ ...offered, plan }, outcome.quote, currency, book)
          ? 'price_book'
          : null
      const { months } = outcome.quote
      return { priced: printCanonical(outcome.quote), months, approval }
    }
  }
  return [
    serve.write(
      {
        ...{ method: 'POST', path: '/offers', tag: TAG, operationId: 'createOffer' },
        summary: 'Draft an offer for the customer that the call acts for',
        allows: SELLERS,
        body: newOffer,
        answers: { 201: { description: 'A draft.', schema: offer } },
      },
      async ({ body, caller, address, nowMs }) => {
        const organizationId = await requireCustomer(database.read, caller)
        const { validUntil, ...given } = body
        requirePlanByStaff(caller, given)
        const license = await nameLicense(database.read, organizationId, given.license)
        const held: Offered = { ...given, license }
        const price = await makePricer(caller, organizationId, nowMs)
        const row: OfferRow = {
          ...{ id: newId('ofr', clock), organization_id: organizationId, state: 'draft' },
          ...{ version: 1, valid_until_ms: Date.parse(validUntil), created_ms: nowMs },
          ...{ sent_ms: null, decided_ms: null, rejection_reason: null },
        }
        const made = { offered: held, madeBy: nameCaller(caller, address), nowMs }
        return async (transaction) => {
          const currency = await currencyOfCredits(transaction, organizationId)
          const plan = await planAfter(transaction, organizationId, held)
          const version = { ...made, ...price(held, plan, currency) }
          await transaction.insertInto('offers').values(row).execute()
          await addVersion(transaction, row, version)
          const told = await tellOffer(transaction, row, nowMs)
          return { status: 201, body: told, target: row.id }
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/offers', tag: TAG, operationId: 'listOffers' },
        summary:
          'Offers of the acting organization, for the vendor of all; drafts are seen by those who sell',
        allows: READERS,
        query: offersQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(offer) } },
      },
      async ({ caller, query, list, nowMs }) => {
        const { cursor, limit } = query
        const before = cursor === undefined ? undefined : cursors.read(cursor, list)
        let rows = listedOffers(database.read, caller).orderBy('id', 'desc')
        if (before !== undefined) rows = rows.where('id', '<', before)
        const found = await rows.limit(limit + 1).execute()
        const told = await Promise.all(found.map((row) => tellOffer(database.read, row, nowMs)))
        return {
          body: cursors.page(told, { limit, list, keyOf: ({ id }) => id, tell: (it) => it }),
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: '/offers/{offerId}', tag: TAG, operationId: 'readOffer' },
        summary: 'One offer',
        allows: READERS,
        answers: { 200: { description: 'The offer.', schema: offer } },
      },
      async ({ caller, path, nowMs }) => {
        const row = await findOffer(database.read, caller, path('offerId'))
        return { body: await tellOffer(database.read, row, nowMs) }
      },
    ),
    serve.write(
      {
        ...{ method: 'PATCH', path: '/offers/{offerId}', tag: TAG, operationId: 'changeOffer' },
        summary: 'Change a draft; it is priced anew, and is a new version',
        description:
          'A channel that changes what is offered takes plan, licence change and credit away: the staff sets them anew.',
        allows: SELLERS,
        body: changedOffer,
        answers: { 200: { description: 'As it is now.', schema: offer } },
      },
      async ({ body, caller, address, path, nowMs }) => {
        const { validUntil, ...changes } = body
        requirePlanByStaff(caller, changes)
        const found = await findOffer(database.read, caller, path('offerId'))
        const price = await makePricer(caller, found.organization_id, nowMs)
        const license =
          changes.license === undefined
            ? undefined
            : await nameLicense(database.read, found.organization_id, changes.license)
        return async (transaction) => {
          const before = await findOffer(transaction, caller, found.id)
          requireState(before, 'draft', nowMs)
          const { offered: held } = await readVersion(transaction, before)
          const isUnplanned = changes.content !== undefined && !isStaff(caller)
          const offered: Offered = {
            title: changes.title ?? held.title,
            content: changes.content ?? held.content,
            plan: isUnplanned ? null : changes.plan === undefined ? held.plan : changes.plan,
            license: isUnplanned ? null : license === undefined ? held.license : license,
            credit: isUnplanned
              ? null
              : changes.credit === undefined
                ? held.credit
                : changes.credit,
          }
          const row: OfferRow = { ...before, version: before.version + 1 }
          if (validUntil !== undefined) row.valid_until_ms = Date.parse(validUntil)
          const currency = await currencyOfCredits(transaction, row.organization_id)
          const plan = await planAfter(transaction, row.organization_id, offered)
          const made = { offered, madeBy: nameCaller(caller, address), nowMs }
          await addVersion(transaction, row, { ...made, ...price(offered, plan, currency) })
          await transaction.updateTable('offers').set(row).where('id', '=', row.id).execute()
          return { body: await tellOffer(transaction, row, nowMs), target: row.id }
        }
      },
    ),
    serve.write(
      {
        ...{ method: 'POST', path: '/offers/{offerId}/send', tag: TAG, operationId: 'sendOffer' },
        summary: 'Send a draft: the customer sees it, and nothing of it changes any more',
        description:
          'It is priced once more, by the price book in force and the limits of the sender. Plan or credits above its limits: 403 approval_needed, unless an operator made the draft as it is, or sends it.',
        allows: SELLERS,
        answers: { 200: { description: 'As it is now.', schema: offer } },
      },
      async ({ caller, address, path, nowMs }) => {
        const found = await findOffer(database.read, caller, path('offerId'))
        const price = await makePricer(caller, found.organization_id, nowMs)
        return async (transaction) => {
          const before = await findOffer(transaction, caller, found.id)
          requireState(before, 'draft', nowMs)
          const { offered, approval: given } = await readVersion(transaction, before)
          const { version, organization_id: organizationId } = before
          const row = { ...before, state: 'sent', version: version + 1, sent_ms: nowMs }
          const currency = await currencyOfCredits(transaction, organizationId)
          const plan = await planAfter(transaction, organizationId, offered)
          const { priced, months, approval: own } = price(offered, plan, currency)
          requireComplete(
            before,
            await findLicenseFaults(transaction, organizationId, offered, months, nowMs),
            nowMs,
          )
          // What the book allowed while it was drafted it may allow no more.
          const approval = own ?? (given === 'operator' ? given : null)
          if (approval === null) throw new Failure('portal.approval_needed')
          const license = offered.license ?? ({ kind: 'new' } as const)
          const made = {
            ...{ offered: { ...offered, license }, priced, approval, nowMs },
            madeBy: nameCaller(caller, address),
          }
          await addVersion(transaction, row, made)
          await transaction.updateTable('offers').set(row).where('id', '=', row.id).execute()
          const told = await tellOffer(transaction, row, nowMs)
          await putOfferEvent(transaction, 'offer.sent', told, clock)
          return { body: told, target: row.id }
        }
      },
    ),
  ]
}

/** The customer that the call acts for. */
async function requireCustomer(db: PortalReader, caller: Caller): Promise<string> {
  const id = organizationOf(caller) ?? ''
  const found = db.selectFrom('organizations').select('kind').where('id', '=', id)
  if ((await found.executeTakeFirst())?.kind !== 'customer')
    throw new Failure('portal.organization_needed')
  return id
}

/** What a licence allows is not for a channel to say: it is the price that it sells. */
function requirePlanByStaff(
  caller: Caller,
  { plan, license, credit }: { readonly [Key in 'plan' | 'license' | 'credit']?: unknown },
): void {
  const isSet = [plan, license, credit].some((value) => value !== undefined && value !== null)
  if (isSet && !isStaff(caller)) throw new Failure('portal.forbidden')
}

function requireComplete(row: OfferRow, ofLicense: readonly Fault[], nowMs: number): void {
  const faults = [
    ...ofLicense,
    ...(row.valid_until_ms <= nowMs
      ? [{ pointer: '/validUntil', message: 'must be in the future' }]
      : []),
  ]
  if (faults.length > 0) throw new InvalidRequest(faults, 'portal.offer_incomplete')
}

async function addVersion(
  transaction: PortalTransaction,
  { id, version }: OfferRow,
  { offered, priced, approval, madeBy, nowMs }: Version,
): Promise<void> {
  await transaction
    .insertInto('offer_versions')
    .values({
      ...{ offer_id: id, version, made_by: madeBy, created_ms: nowMs },
      ...{ offered: JSON.stringify(offered), quote: priced, approval },
    })
    .execute()
}
