// How the arguments of collection policies are written.
import { z } from 'zod'
import { BYTE_SIZE_HINT, parseByteSize } from '../byte-size.ts'
import { FORWARD_ACCOUNT } from '../collection-policy.ts'
import { parseCron } from '../time/cron.ts'
import { textValue, wholeNumberValue } from './values.ts'

const MAX_DAYS = 36_500
const daysValue = wholeNumberValue(1, MAX_DAYS)

/** '' is for ever. */
export const optionalDaysValue = z.string().transform((text, context): number | null => {
  if (text.trim() === '') return null
  const days = daysValue.safeParse(text.trim())
  if (days.success) return days.data
  context.addIssue({ code: 'custom', message: days.error.issues[0]?.message ?? 'is not accepted' })
  return z.NEVER
})

/** '' is no limit. */
export const optionalSizeValue = z.string().transform((text, context): number | null => {
  if (text.trim() === '') return null
  const bytes = parseByteSize(text.trim())
  if (bytes !== undefined && bytes > 0) return bytes
  context.addIssue({ code: 'custom', message: `must be ${BYTE_SIZE_HINT}` })
  return z.NEVER
})

/** An address without a user in it: what is kept here is shown again. One that holds a secret is
 *  that of an account. */
export const forwardValue = textValue
  .transform((text) => text.trim())
  .refine((text) => text === '' || isForwardAddress(text), {
    message:
      'must be https://…, http://…, tcp://host:port, udp://host:port, kafka://host:port/topic or account:<name>, without a user, a query and a fragment in it',
  })

const KAFKA = /^kafka:\/\/[\w.[\]:-]+:\d+(?:,[\w.[\]:-]+:\d+)*\/[\w.-]{1,249}$/

function isForwardAddress(text: string): boolean {
  if (text.startsWith(FORWARD_ACCOUNT)) return text.length > FORWARD_ACCOUNT.length
  if (text.startsWith('kafka:')) return KAFKA.test(text)
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, username, password, search, hash } = new URL(text)
  if (username !== '' || password !== '' || hostname === '') return false
  if (search !== '' || hash !== '') return false
  if (protocol === 'https:' || protocol === 'http:') return true
  return (protocol === 'tcp:' || protocol === 'udp:') && port !== ''
}

/** Five fields of numbers, `*`, `a-b`, `a,b` and steps; '' for none. */
export const cronValue = textValue
  .transform((text) => text.trim().replace(/\s+/g, ' '))
  .refine((text) => text === '' || parseCron(text) !== undefined, {
    message: 'must be five fields as cron writes them, such as 0 1 * * *',
  })
