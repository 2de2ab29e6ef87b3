// Keys of the API (decision 9.5): of an organization, named after the system that uses them.
import { z } from 'zod'
import { maker } from './accounts.ts'
import { givenTime, lineText, pageQuery, timestamp } from './common.ts'
import { credentialId } from './people.ts'
import { SCOPES, scope } from './scopes.ts'

const name = lineText(200)
  .min(1)
  .meta({ description: 'Of the system that uses it.', examples: ['Billing export'] })

export const newApiKey = z.strictObject({
  name,
  scopes: z
    .array(scope)
    .min(1)
    .max(SCOPES.length)
    .refine((given) => new Set(given).size === given.length, 'must name each scope once')
    .meta({ description: 'What it may do; never changed afterwards.' }),
  expiresAt: givenTime.optional().meta({ description: 'Absent: it does not end by itself.' }),
})

const MAX_GRACE_SECONDS = 7 * 86_400

export const replacedApiKey = z.strictObject({
  graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0).meta({
    description: 'For which the old key goes on, at most a week; 0: it ends at once.',
  }),
  expiresAt: givenTime.optional().meta({ description: 'Of the new key; absent: as the old one.' }),
})

export const apiKeysQuery = pageQuery.extend({
  inForce: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true`: without those that were revoked or have ended.' }),
})

export const apiKey = z
  .strictObject({
    id: credentialId,
    name: z.string(),
    scopes: z.array(scope),
    last4: z.string().meta({ description: 'Last characters of the key.' }),
    createdAt: timestamp,
    madeBy: maker.nullable().meta({
      description: 'The person; null: a program, or before this was kept.',
    }),
    lastUsedAt: timestamp.nullable().meta({ description: 'To the minute; null: never.' }),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' })

export const apiKeyMade = z
  .strictObject({ apiKey, key: z.string().meta({ description: '`key_…`, shown here alone.' }) })
  .meta({ id: 'ApiKeyMade' })
