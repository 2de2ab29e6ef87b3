// What people do with their own access: passwords, second factor, sessions; and tokens of
// operators (decision 9.5).
import { z } from 'zod'
import { email, maker, newPassword, personRole } from './accounts.ts'
import { givenTime, idOf, lineText, timestamp } from './common.ts'

const givenPassword = z.string().max(1024)

export const forgottenPassword = z.strictObject({ email })
export const chosenPassword = z.strictObject({
  token: z.string().max(100).meta({ description: 'From the link of the mail, after #.' }),
  password: newPassword,
})
export const changedPassword = z.strictObject({ current: givenPassword, password: newPassword })
export const ownPassword = z.strictObject({ password: givenPassword })

export const begunFactor = z
  .strictObject({
    secret: z.string().meta({ description: 'Base32, for an authenticator app.' }),
    uri: z.string().meta({ description: 'otpauth://…, as a QR code holds it.' }),
  })
  .meta({ id: 'BegunSecondFactor' })
export const factorCode = z.strictObject({ code: z.string().max(64) })
export const confirmedFactor = z
  .strictObject({
    recoveryCodes: z
      .array(z.string())
      .meta({ description: 'Each signs in once, without the app.' }),
  })
  .meta({ id: 'RecoveryCodes' })

export const credentialId = idOf('crd', 'a credential')
export const ownSession = z
  .strictObject({
    id: credentialId,
    createdAt: timestamp,
    expiresAt: timestamp,
    isThisOne: z.boolean(),
    address: z.string().nullable().meta({
      description: 'From where it was begun; null: before that was kept.',
    }),
  })
  .meta({ id: 'OwnSession' })

export const changedPerson = z.strictObject({
  role: personRole.optional(),
  isEnabled: z.boolean().optional().meta({
    description: 'By operators alone: of all organizations of the person.',
  }),
  revokeKeys: z.boolean().default(false).meta({
    description:
      'Also revoke the API keys and operator tokens that the person made for the acting organization, and disable the webhooks; of a person who is disabled those of all organizations.',
  }),
})

export const removedPersonQuery = z.strictObject({
  revokeKeys: z.enum(['true', 'false']).default('false').meta({
    description:
      'Also revoke the API keys and operator tokens that the person made for the acting organization, and disable the webhooks.',
  }),
})

const tokenName = lineText(200).min(1)
export const newOperatorToken = z.strictObject({
  name: tokenName,
  expiresAt: givenTime.optional().meta({ description: 'Absent: it does not end by itself.' }),
})
export const operatorToken = z
  .strictObject({
    id: credentialId,
    name: z.string(),
    last4: z.string(),
    createdAt: timestamp,
    madeBy: maker.nullable().meta({
      description: 'The person; null: a program, or before this was kept.',
    }),
    expiresAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: 'OperatorToken' })
export const operatorTokenMade = z
  .strictObject({ operatorToken, token: z.string().meta({ description: 'Shown here alone.' }) })
  .meta({ id: 'OperatorTokenMade' })

export const auditEntry = z
  .strictObject({
    id: z.string(),
    at: timestamp,
    caller: z.string().meta({ description: 'Kind and id of who called.' }),
    action: z.string().meta({ description: 'operationId of the call.' }),
    target: z.string(),
    result: z.string().meta({ description: '`done`, or the code of the failure.' }),
    requestId: z.string(),
    address: z.string(),
  })
  .meta({ id: 'PortalAuditEntry' })
