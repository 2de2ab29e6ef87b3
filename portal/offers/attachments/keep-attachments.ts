// An attachment in two steps, so that no row is without its bytes: the object is durable under a
// random key before its row is written, and the row is gone before its object is.
import { createHash } from 'node:crypto'
import type { Clock } from '../../../infra/clock.ts'
import type { ObjectStore } from '../../../infra/objects/port.ts'
import { Failure } from '../../../schemas/failures.ts'
import { type AttachmentTold, MAX_ATTACHMENTS } from '../../../schemas/portal/attachments.ts'
import type { Caller } from '../../access/caller.ts'
import { newId } from '../../access/ids.ts'
import type { PortalReader, PortalTransaction } from '../../database/open.ts'
import type { OfferAttachmentRow } from '../../database/tables.ts'
import { isSeller } from '../find-offers.ts'
import { toLabel } from './file-label.ts'
import type { SentFile } from './receive-file.ts'
import { findFileType } from './types/file-types.ts'
import { type Inspector, refuseFile } from './types/inspector.ts'

export const OBJECT_PREFIX = 'attachments/'

export type KeptFile = Pick<
  OfferAttachmentRow,
  'name' | 'media_type' | 'bytes' | 'sha256' | 'object_key'
>

/** Checks the file while it passes. `objects` undefined: it is only looked at. Fails with
 *  portal.file_refused and as the store does. */
export async function keepFile(
  { name: given, mediaType, source }: SentFile,
  { objects, clock }: { readonly objects: ObjectStore | undefined; readonly clock: Clock },
): Promise<KeptFile> {
  const name = toLabel(given)
  if (name === undefined) throw refuseFile('its name is none')
  const type = findFileType(name, mediaType)
  const hash = createHash('sha256')
  const seen = { bytes: 0 }
  const passing = pass(source, type.inspect(), (chunk) => {
    hash.update(chunk)
    seen.bytes += chunk.length
  })
  const key = OBJECT_PREFIX + newId('obj', clock)
  if (objects !== undefined) await objects.put(key, passing)
  else for await (const _ of passing);
  return {
    ...{ name, media_type: type.mediaType, bytes: seen.bytes },
    ...{ sha256: hash.digest('hex'), object_key: key },
  }
}

async function* pass(
  source: AsyncIterable<Uint8Array>,
  inspector: Inspector,
  see: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let isEmpty = true
  for await (const chunk of source) {
    isEmpty &&= chunk.length === 0
    see(chunk)
    inspector.add(chunk)
    yield chunk
  }
  if (isEmpty) throw refuseFile('it is empty')
  inspector.end()
}

/** Fails with portal.too_many_attachments. */
export async function insertAttachment(
  transaction: PortalTransaction,
  row: OfferAttachmentRow,
): Promise<void> {
  const { count } = await transaction
    .selectFrom('offer_attachments')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('offer_id', '=', row.offer_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_ATTACHMENTS)
    throw new Failure('portal.too_many_attachments', { limit: MAX_ATTACHMENTS })
  await transaction.insertInto('offer_attachments').values(row).execute()
}

export async function findAttachment(
  db: PortalReader,
  { offerId, id }: { readonly offerId: string; readonly id: string },
): Promise<OfferAttachmentRow> {
  const row = await db
    .selectFrom('offer_attachments')
    .selectAll()
    .where('offer_id', '=', offerId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new Failure('portal.not_found', { what: 'attachment' })
  return row
}

/** Sellers may take away any, a customer its own. Fails with portal.forbidden. */
export function requireOwn(row: OfferAttachmentRow, caller: Caller): void {
  if (row.side !== 'customer' && !isSeller(caller)) throw new Failure('portal.forbidden')
}

export function tellAttachment(row: OfferAttachmentRow): AttachmentTold {
  return {
    ...{ id: row.id, offerId: row.offer_id, name: row.name, mediaType: row.media_type },
    ...{ bytes: row.bytes, sha256: row.sha256 },
    by: row.side === 'customer' ? 'customer' : 'seller',
    createdAt: new Date(row.created_ms).toISOString(),
  }
}
