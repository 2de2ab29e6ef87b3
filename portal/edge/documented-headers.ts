// Headers of requests, for the document.
import { z } from 'zod'
import { organizationId } from '../../schemas/portal/accounts.ts'
import type { Allows } from '../access/caller.ts'

const ORGANIZATION = organizationId.optional().meta({
  description:
    'The organization that the call acts for, for people of several and for operators; absent: that of the credential.',
})
const IDEMPOTENCY_KEY = z
  .string()
  .regex(/^[\x21-\x7e]{1,253}$/)
  .optional()
  .meta({
    description:
      'Any text, a new one for each thing that is to be done: sent again within 24 hours, with the same body, it is not done again.',
  })
const CSRF_TOKEN = z.string().optional().meta({
  description: 'Of calls with the cookie: `csrfToken` of the session.',
})

/** What a call may carry beside its credential. */
export function headersOf({ roles, operator }: Allows, isWrite: boolean) {
  return {
    ...(roles || operator ? { 'X-Organization-Id': ORGANIZATION } : {}),
    ...(isWrite ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}),
    ...(isWrite && roles ? { 'X-CSRF-Token': CSRF_TOKEN } : {}),
  }
}
