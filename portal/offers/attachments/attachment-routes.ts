// Files at an offer (decision 9.10): put, listed, read and taken away by those who see the offer.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { ServedRoute } from '../../../infra/http/routes/route.ts'
import type { ObjectStore } from '../../../infra/objects/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import {
  attachment,
  attachmentsQuery,
  attachmentUpload,
  MAX_ATTACHMENT_BYTES,
} from '../../../schemas/portal/attachments.ts'
import { pageOf } from '../../../schemas/portal/common.ts'
import { EVERY_ROLE, nameCaller } from '../../access/caller.ts'
import { newId } from '../../access/ids.ts'
import type { OfferAttachmentRow } from '../../database/tables.ts'
import type { PortalDeps } from '../../deps.ts'
import { PROBLEM_CONTENT } from '../../edge/problem.ts'
import { findOffer, isSeller, requireState } from '../find-offers.ts'
import { readWanted } from './byte-range.ts'
import { printDisposition } from './file-label.ts'
import {
  findAttachment,
  insertAttachment,
  type KeptFile,
  keepFile,
  requireOwn,
  tellAttachment,
} from './keep-attachments.ts'
import { receiveFile } from './receive-file.ts'

const TAG = 'offers'
const PATH = '/offers/{offerId}/attachments'
const ONE = `${PATH}/{attachmentId}`
const READERS = { roles: EVERY_ROLE, operator: true, scope: 'offers:read' } as const
const WRITERS = {
  roles: ['customer_admin', 'sales', 'channel', 'operator'],
  operator: true,
  scope: 'offers:write',
} as const
/** Boundaries and the head of the part. */
const AROUND_BYTES = 64 * 1024
const UPLOADS_A_MINUTE = 60
const TOO_LARGE = { description: 'The file is larger than 25 MiB.', content: PROBLEM_CONTENT }
const OUTSIDE = { description: 'The range begins behind its end.', content: PROBLEM_CONTENT }
const text = (description: string) => z.string().meta({ description })
const FILE = { '*/*': z.unknown().meta({ description: 'The bytes of the file.' }) }
const FILE_HEADERS = {
  ETag: text('Its SHA-256.'),
  'Content-Disposition': text('`attachment`, with its name.'),
}

export function makeAttachmentRoutes(deps: PortalDeps): ServedRoute[] {
  const { database, clock, cursors, serve, objects } = deps
  return [
    serve.upload(
      {
        ...{ method: 'POST', path: PATH, tag: TAG, operationId: 'attachToOffer' },
        summary: 'Attach a file to an offer',
        description:
          'One part `file` of at most 25 MiB: PDF, PNG, JPEG, DOCX, XLSX, PPTX, TXT, CSV or MD, told by its content. To `Idempotency-Key` counts the file with its name, not the boundary.',
        allows: WRITERS,
        callsAMinute: UPLOADS_A_MINUTE,
        upload: {
          maxBytes: MAX_ATTACHMENT_BYTES + AROUND_BYTES,
          contents: { 'multipart/form-data': attachmentUpload },
        },
        answers: { 201: { description: 'It is kept.', schema: attachment }, 413: TOO_LARGE },
      },
      async ({ caller, address, request, path, nowMs }, stream, isRepeat) => {
        const offerId = path('offerId')
        // Before anything is read.
        await findOffer(database.read, caller, offerId)
        const kept = await receiveFile<KeptFile>({
          ...{ stream, maxBytes: MAX_ATTACHMENT_BYTES },
          contentType: request.headers.get('content-type') ?? '',
          keep: (file) => keepFile(file, { objects: isRepeat ? undefined : objects, clock }),
          drop: (file) => dropObject(objects, file),
        })
        const row: OfferAttachmentRow = {
          ...{ ...kept, id: newId('att', clock), offer_id: offerId },
          side: isSeller(caller) ? 'seller' : 'customer',
          ...{ made_by: nameCaller(caller, address), created_ms: nowMs },
        }
        return {
          bodyHash: hashOf(kept),
          drop: () => dropObject(objects, kept),
          change: async (transaction) => {
            // What was only looked at has no object.
            if (isRepeat) throw new Failure('portal.files_unavailable')
            await findOffer(transaction, caller, offerId)
            await insertAttachment(transaction, row)
            return { status: 201, body: tellAttachment(row), target: row.id }
          },
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: PATH, tag: TAG, operationId: 'listAttachments' },
        summary: 'Files at an offer',
        allows: READERS,
        query: attachmentsQuery,
        answers: { 200: { description: 'A page.', schema: pageOf(attachment) } },
      },
      async ({ caller, path, query, list }) => {
        const offer = await findOffer(database.read, caller, path('offerId'))
        const { cursor, limit } = query
        let rows = database.read
          .selectFrom('offer_attachments')
          .selectAll()
          .where('offer_id', '=', offer.id)
          .orderBy('id', 'desc')
        if (cursor !== undefined) rows = rows.where('id', '<', cursors.read(cursor, list))
        const found = await rows.limit(limit + 1).execute()
        return {
          body: cursors.page(found, { limit, list, keyOf: ({ id }) => id, tell: tellAttachment }),
        }
      },
    ),
    serve.read(
      {
        ...{ method: 'GET', path: ONE, tag: TAG, operationId: 'readAttachment' },
        summary: 'The bytes of a file at an offer',
        description: '`Range` with one range, `If-Range`, `If-None-Match` and HEAD work.',
        allows: READERS,
        answers: {
          200: { description: 'The file.', content: FILE, headers: FILE_HEADERS },
          206: { description: 'A part of it.', content: FILE, headers: FILE_HEADERS },
          304: { description: 'As `If-None-Match` has it.' },
          416: OUTSIDE,
        },
      },
      async ({ caller, path, request }) => {
        const offer = await findOffer(database.read, caller, path('offerId'))
        const row = await findAttachment(database.read, {
          ...{ offerId: offer.id, id: path('attachmentId') },
        })
        return await answerFile(row, request.headers, objects)
      },
    ),
    serve.write(
      {
        ...{ method: 'DELETE', path: ONE, tag: TAG, operationId: 'deleteAttachment' },
        summary: 'Take a file away from an offer',
        description:
          'Who sells may take away any, a customer its own while the offer waits for its decision.',
        allows: WRITERS,
        answers: { 204: { description: 'It is gone.' } },
      },
      async ({ caller, path, nowMs }) =>
        async (transaction) => {
          const offer = await findOffer(transaction, caller, path('offerId'))
          const wanted = { offerId: offer.id, id: path('attachmentId') }
          const row = await findAttachment(transaction, wanted)
          requireOwn(row, caller)
          // On what it stood when it was decided, it stands.
          if (!isSeller(caller)) requireState(offer, 'sent', nowMs)
          await transaction.deleteFrom('offer_attachments').where('id', '=', row.id).execute()
          return { target: row.id, afterwards: () => objects.delete(row.object_key) }
        },
    ),
  ]
}

/** Read again when it is missing is for `cleanAttachments`: an object without a row. */
async function dropObject(objects: ObjectStore, { object_key }: KeptFile): Promise<void> {
  await objects.delete(object_key).catch(() => undefined)
}

function hashOf({ name, sha256, bytes }: KeptFile): string {
  return createHash('sha256')
    .update(JSON.stringify([name, sha256, bytes]))
    .digest('hex')
}

async function answerFile(
  { name, media_type, bytes, sha256, object_key }: OfferAttachmentRow,
  asked: Headers,
  objects: ObjectStore,
): Promise<Response> {
  const etag = `"${sha256}"`
  const wanted = readWanted(asked, { etag, bytes })
  if (wanted.kind === 'unchanged') return new Response(null, { status: 304, headers: { etag } })
  if (wanted.kind === 'outside') throw new Failure('portal.range_not_satisfiable', { bytes })
  const range = wanted.kind === 'part' ? wanted.range : { from: 0, to: bytes }
  const body = await objects.get(object_key, range)
  const isPart = wanted.kind === 'part'
  return new Response(body, {
    status: isPart ? 206 : 200,
    headers: {
      ...{ etag, 'accept-ranges': 'bytes', 'content-length': String(range.to - range.from) },
      'content-type': media_type.startsWith('text/') ? `${media_type}; charset=utf-8` : media_type,
      'content-disposition': printDisposition(name),
      // Whatever a browser takes it for, it runs nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      ...(isPart ? { 'content-range': `bytes ${range.from}-${range.to - 1}/${bytes}` } : {}),
    },
  })
}
