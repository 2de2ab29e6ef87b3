// Files that are attached to an offer (decision 9.10).
import { z } from 'zod'
import { idOf, pageQuery, timestamp } from './common.ts'

export const MAX_ATTACHMENT_BYTES = 25 * 1024 * 1024
export const MAX_ATTACHMENTS = 100

export const attachment = z
  .strictObject({
    id: idOf('att', 'an attachment'),
    offerId: idOf('ofr', 'an offer'),
    name: z.string().meta({
      description: 'As the sender named it, without what is no name. A label, nothing more.',
    }),
    mediaType: z.string().meta({ description: 'What it is, by its content.' }),
    bytes: z.int(),
    sha256: z.string().meta({ description: 'Of its bytes, hexadecimal.' }),
    by: z.enum(['seller', 'customer']).meta({ description: 'Whose it is.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'OfferAttachment' })
export type AttachmentTold = z.infer<typeof attachment>

export const attachmentsQuery = pageQuery

export const attachmentUpload = z.strictObject({
  file: z.string().meta({
    description: 'One file with a name: PDF, PNG, JPEG, DOCX, XLSX, PPTX, TXT, CSV or MD.',
    format: 'binary',
  }),
})
