// Credits: grants, the balance, and each movement with its sentence (decision 9.7).
import { z } from 'zod'
import { currencyCode } from '../accounts.ts'
import { givenTime, lineText, pageQuery, timestamp } from '../common.ts'
import { creditBalance, money } from './status.ts'

export { creditBalance }

export const newGrant = z.strictObject({
  amount: z
    .string()
    .regex(/^\d{1,15}(\.\d{1,12})?$/, 'must be a decimal number such as 1000.00')
    .meta({ description: 'More than zero.' }),
  currency: currencyCode.optional().meta({
    description: 'That of the organization; another one is refused.',
  }),
  priority: z.int().min(0).max(1000).default(100).meta({
    description: 'Lower numbers are used first.',
  }),
  effectiveAt: givenTime.optional().meta({ description: 'Absent: from now on.' }),
  expiresAt: givenTime.optional().meta({ description: 'Absent: it does not expire.' }),
  source: lineText(200).min(1).meta({ description: 'Where it comes from.' }),
})

export const voidedGrant = z.strictObject({ reason: lineText(200).min(1) })

export const movement = z
  .strictObject({
    number: z.int().meta({ description: '1 is the first one.' }),
    at: timestamp,
    kind: z.enum(['grant', 'burn', 'correct', 'expire', 'void']),
    explanation: z.string(),
    entries: z
      .array(
        z.strictObject({
          account: z.string(),
          grantId: z.string().nullable(),
          amount: money,
        }),
      )
      .meta({ description: 'They add up to zero.' }),
  })
  .meta({ id: 'CreditMovement' })

export const movementsQuery = pageQuery
