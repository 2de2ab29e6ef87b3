// An offer as a PDF: for everybody who sees the offer.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ServedRoute } from '../../infra/http/routes/route.ts'
import { EVERY_ROLE } from '../access/caller.ts'
import type { PortalReader } from '../database/open.ts'
import type { OfferRow } from '../database/tables.ts'
import type { PortalDeps } from '../deps.ts'
import { matches } from './attachments/byte-range.ts'
import { printDisposition } from './attachments/file-label.ts'
import { findOffer, tellOffer } from './find-offers.ts'

/** Printing costs more than reading. */
const CALLS_A_MINUTE = 20

export function makeOfferPdfRoutes({ database, serve }: PortalDeps): ServedRoute[] {
  return [
    serve.read(
      {
        ...{ method: 'GET', path: '/offers/{offerId}/pdf', tag: 'offers' },
        operationId: 'printOffer',
        summary: 'An offer as a PDF',
        description:
          'Of one version in one state it is always the same bytes. What was not sent yet is marked as a draft. `If-None-Match` works.',
        allows: { roles: EVERY_ROLE, operator: true, scope: 'offers:read' },
        callsAMinute: CALLS_A_MINUTE,
        answers: {
          200: {
            description: 'The document.',
            content: { 'application/pdf': z.unknown().meta({ description: 'Its bytes.' }) },
            headers: { ETag: z.string().meta({ description: 'SHA-256 of its bytes.' }) },
          },
          304: { description: 'As `If-None-Match` has it.' },
        },
      },
      async ({ caller, path, request, nowMs }) => {
        const row = await findOffer(database.read, caller, path('offerId'))
        const { printOffer } = await import('./offer-pdf.ts')
        const offer = await tellOffer(database.read, row, nowMs)
        const bytes = await printOffer({ offer, ...(await readParties(database.read, row)) })
        const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`
        if (matches(request.headers.get('if-none-match'), etag))
          return new Response(null, { status: 304, headers: { etag } })
        return new Response(new Uint8Array(bytes), {
          headers: {
            ...{ etag, 'content-type': 'application/pdf', 'content-length': String(bytes.length) },
            'content-disposition': printDisposition(`Offer ${row.id} v${row.version}.pdf`),
          },
        })
      },
    ),
  ]
}

/** Whose offer it is to whom, and when this version was made. */
async function readParties(db: PortalReader, { id, version, organization_id }: OfferRow) {
  const names = db.selectFrom('organizations').select('name')
  const vendor = await names.where('kind', '=', 'vendor').orderBy('id').executeTakeFirst()
  const customer = await names.where('id', '=', organization_id).executeTakeFirstOrThrow()
  const { created_ms } = await db
    .selectFrom('offer_versions')
    .select('created_ms')
    .where('offer_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return { vendor: vendor?.name ?? 'Vendor', customer: customer.name, madeMs: created_ms }
}
