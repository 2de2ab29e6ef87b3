// Organizations, people, sessions, licences and their keys (decisions 9.5, 9.6).
import { z } from 'zod'
import { givenTime, idOf, lineText, pageQuery, timestamp } from './common.ts'
import { ORGANIZATION_KINDS, PERSON_ROLES } from './roles.ts'

export const personRole = z.enum(PERSON_ROLES).meta({ id: 'PersonRole' })

export const organizationKind = z.enum(ORGANIZATION_KINDS).meta({
  id: 'OrganizationKind',
  description: 'Who buys, who resells, and the maker itself.',
})

const name = lineText(200).min(1)
export const channelCode = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be small letters, digits and -')
  .meta({ description: 'Names a way of selling, as price books do.' })
export const regionCode = z
  .string()
  .regex(/^[A-Z0-9][A-Z0-9-]{0,19}$/, 'must be capital letters, digits and -')
export const currencyCode = z.string().regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217')

export const organizationId = idOf('org', 'an organization')
export const organization = z
  .strictObject({
    id: organizationId,
    name: z.string(),
    kind: organizationKind,
    channel: z.string().nullable().meta({
      description: 'Of a channel its own; of a customer the one it buys through; null: directly.',
    }),
    region: z.string(),
    currency: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: 'Organization' })
export type Organization = z.infer<typeof organization>

export const newOrganization = z.strictObject({
  name,
  kind: organizationKind.default('customer'),
  channel: channelCode.nullable().default(null),
  region: regionCode.default('EU'),
  currency: currencyCode.default('EUR'),
})

/** What mail servers ignore, and a full stop that they take for that of ASCII. */
const IGNORED_IN_MAIL = /[\p{Cf}\p{DI}\u3002]/u

/** In one spelling: people are known by it, and two of them would share one mailbox. */
export const email = lineText(254)
  .regex(/^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+$/, 'must be an e-mail address')
  .refine(
    (text) => text.normalize('NFKC') === text.normalize('NFC') && !IGNORED_IN_MAIL.test(text),
    'must hold no character that mail servers take for another, or ignore',
  )

export const newPassword = z
  .string()
  .min(10, 'must have 10 characters at least')
  .max(200)
  .meta({ description: 'Kept as an scrypt hash.' })

export const personId = idOf('per', 'a person')
export const person = z
  .strictObject({
    id: personId,
    email: z.string(),
    name: z.string(),
    memberships: z.array(
      z.strictObject({
        organizationId,
        organizationName: z.string(),
        role: personRole,
      }),
    ),
    hasSecondFactor: z.boolean(),
    isEnabled: z.boolean(),
    made: z.strictObject({ apiKeys: z.int(), webhooks: z.int(), operatorTokens: z.int() }).meta({
      id: 'MadeByPerson',
      description: 'In force, made by the person for the acting organization.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'Person' })
export type Person = z.infer<typeof person>

/** Made a credential or a webhook. */
export const maker = z
  .strictObject({
    id: personId,
    name: z.string(),
    isMember: z.boolean().meta({
      description: 'Of the organization that it acts for, and not disabled.',
    }),
  })
  .meta({ id: 'Maker' })
export type Maker = z.infer<typeof maker>

export const newPerson = z.strictObject({
  email,
  name,
  role: personRole,
  password: newPassword.optional().meta({
    description: 'Absent: the person chooses one by the invitation that is sent by mail.',
  }),
})

export const sessionRequest = z.strictObject({
  email: z.string().max(254),
  password: z.string().max(1024),
  code: z.string().max(64).optional().meta({
    description: 'Of the second factor, or one of its recovery codes.',
  }),
  organizationId: organizationId.optional().meta({
    description: 'For which the session acts; absent: the first one of the person.',
  }),
  cookie: z.boolean().default(false).meta({
    description: 'Of a browser: the token goes into a cookie that no script reads.',
  }),
})

export const session = z
  .strictObject({
    person: z.strictObject({ id: personId, email: z.string(), name: z.string() }),
    organization: organization.nullable(),
    role: personRole.nullable(),
    token: z.string().nullable().meta({ description: 'Shown here alone; null with a cookie.' }),
    csrfToken: z.string().nullable().meta({
      description: 'For the header X-CSRF-Token of calls with the cookie that write.',
    }),
    expiresAt: timestamp,
  })
  .meta({ id: 'Session' })
export type SessionTold = z.infer<typeof session>

export const changedSession = z.strictObject({ organizationId })

export const plan = z.strictObject({
  // Plans that are kept are read by it as well.
  name: z.string().trim().min(1).max(200),
  volumeBytesPerDay: z.int().min(0),
  features: z.array(z.string().max(100)).max(100).default([]),
  creditPricePerGib: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be a decimal number such as 0.35')
    .optional()
    .meta({
      description:
        'What a GiB (2^30 bytes) takes of the credits, in their currency; absent: nothing.',
    }),
})

export const licenseId = idOf('lcs', 'a licence')
export const licenseState = z
  .enum(['upcoming', 'active', 'expiring', 'expired', 'suspended', 'revoked'])
  .meta({
    description:
      '`upcoming`: not begun. `expiring`: in its last 30 days, or in its last third where that is shorter.',
  })
export const license = z
  .strictObject({
    id: licenseId,
    organizationId,
    name: z.string(),
    plan,
    validFrom: timestamp,
    validTo: timestamp,
    state: licenseState,
    keys: z.array(
      z.strictObject({
        id: idOf('crd', 'a key'),
        last4: z.string(),
        createdAt: timestamp,
        revokedAt: timestamp.nullable(),
      }),
    ),
    createdAt: timestamp,
  })
  .meta({ id: 'License' })
export type LicenseTold = z.infer<typeof license>

export const newLicense = z.strictObject({
  organizationId,
  name,
  plan,
  validFrom: givenTime.optional().meta({ description: 'Absent: from now on.' }),
  validTo: givenTime,
})

/** The key is shown in this answer alone. */
export const licenseWithKey = z
  .strictObject({ license, licenseKey: z.string() })
  .meta({ id: 'LicenseWithKey' })

export const changedLicense = z.strictObject({
  state: z.enum(['active', 'suspended', 'revoked']).optional(),
  name: name.optional(),
  plan: plan.optional(),
  validTo: givenTime.optional(),
})

export const organizationsQuery = pageQuery.extend({ kind: organizationKind.optional() })
export const licensesQuery = pageQuery.extend({ organizationId: organizationId.optional() })
