// What every call of the portal has in common: problems (RFC 9457), pages of lists, times, ids.
import { z } from 'zod'

/** Line breaks, what is not seen (fillers of Hangul, blanks of Braille and tags with it), and what
 *  turns text around: a name that stands in a sentence would change the rest of it. Joiners and
 *  marks of a direction are how some languages are written. */
const HOSTILE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u115f\u1160\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/u
const EACH_HOSTILE = new RegExp(HOSTILE, 'gu')
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u

/** What people call something. */
export const lineText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !HOSTILE.test(text), 'must be one line, of characters that are seen')
    .refine((text) => text === '' || SEEN.test(text), 'must hold a character that is seen')

/** Of what cannot be asked to name itself otherwise. */
export function toLine(text: string): string {
  return text.replace(EACH_HOSTILE, '\ufffd')
}

export const idOf = (prefix: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`), `must be the id of ${what}`)
    .meta({ description: `Id of ${what}.` })

export const timestamp = z.string().meta({
  description: 'ISO 8601 in UTC, to the millisecond.',
  format: 'date-time',
  examples: ['2026-11-24T10:00:00.000Z'],
})

/** As a caller gives it: any ISO 8601 with a zone. */
export const givenTime = z.iso
  .datetime({ offset: true, message: 'must be a time as 2026-11-24T10:00:00Z' })
  .meta({ description: 'ISO 8601 with a zone.' })

const fault = z.strictObject({
  pointer: z
    .string()
    .meta({ description: 'Where: a JSON pointer into the body, or the parameter.' }),
  message: z.string(),
  code: z.string().optional().meta({ description: 'Stable name of it, where it has one.' }),
})
export type Fault = z.infer<typeof fault>

export const problem = z
  .strictObject({
    type: z.string().meta({ description: 'Address of the page that explains the code.' }),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: 'Stable, snake_case.' }),
    message: z.string().meta({ description: 'What was wrong with this call.' }),
    detail: z.string().meta({ description: 'As message.' }),
    instance: z.string().meta({ description: 'Path of the call.' }),
    requestId: z.string().meta({ description: 'As in X-Request-Id.' }),
    errors: z.array(fault).meta({ description: 'Each fault of the request; mostly empty.' }),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof problem>

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200

/** Parameters of a list. */
export const pageQuery = z.strictObject({
  cursor: z
    .string()
    .max(1024)
    .optional()
    .meta({ description: '`nextCursor` of the page before; absent: the first page.' }),
  limit: z
    .int('must be a whole number')
    .min(1)
    .max(MAX_LIMIT)
    .default(DEFAULT_LIMIT)
    .meta({ description: `Rows of a page, 1 to ${MAX_LIMIT}.` }),
})

/** One page of a list, newest first. */
export function pageOf(row: z.ZodType) {
  return z.strictObject({
    data: z.array(row),
    nextCursor: z.string().nullable().meta({ description: 'For the next page; null: the last.' }),
    hasMore: z.boolean(),
  })
}
