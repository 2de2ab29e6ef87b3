// Pieces of a ledger as the database keeps them: JSON that is checked when it is read.
import { z } from 'zod'
import type { Grant, Movement, Usage, VoidedGrant } from './credits/ledger.ts'

const grant: z.ZodType<Grant> = z.strictObject({
  id: z.string(),
  amount: z.string(),
  currency: z.string(),
  priority: z.int(),
  effectiveAt: z.string(),
  expiresAt: z.string().nullable(),
  source: z.string(),
})

const voided: z.ZodType<VoidedGrant> = z.strictObject({
  grantId: z.string(),
  at: z.string(),
  reason: z.string(),
})

const usage: z.ZodType<Usage> = z.strictObject({
  key: z.string(),
  at: z.string(),
  amount: z.string(),
  reason: z.string(),
  price: z.string().optional(),
})

const movement: z.ZodType<Movement> = z.strictObject({
  number: z.int(),
  at: z.string(),
  kind: z.enum(['grant', 'burn', 'correct', 'expire', 'void']),
  entries: z.array(
    z.strictObject({
      account: z.enum(['granted', 'available', 'burned', 'expired', 'voided', 'uncovered', 'owed']),
      grantId: z.string().nullable(),
      amount: z.string(),
    }),
  ),
  explanation: z.string(),
})

export const ledgerPieces = { grant, voided, usage, movement }
