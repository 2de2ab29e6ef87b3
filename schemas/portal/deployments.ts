// Heartbeats and deployments (decision 9.6).
import { z } from 'zod'
import { license, licenseId, organizationId } from './accounts.ts'
import { idOf, pageQuery, timestamp, toLine } from './common.ts'

export const MAX_METERS = 2000
const MAX_NODES = 500
/** Of an hour and source: a petabyte. */
const MAX_COUNT = 1_000_000_000_000_000

const told = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'must hold no control character')

/** One line; what turns text around becomes U+FFFD, as do half characters, which no database
 *  keeps. */
const line = (max: number) => told(max).transform(toLine)

/** What tells rows apart: only half characters become U+FFFD, so that two stay two. */
const key = (max: number) =>
  told(max).transform((text) => text.replace(/\p{Surrogate}/gu, '\ufffd'))

export const deploymentId = idOf('dep', 'a deployment')
const layout = z.enum(['V7', 'X8'])

const meter = z.object({
  hour: z.iso.datetime({ offset: true, message: 'must be an hour as 2026-11-24T10:00:00Z' }).meta({
    description:
      'Begin of an hour in UTC: that of receipt. Further ahead than one hour, older than 400 days or within an hour: told in `errors`.',
  }),
  source: key(200).default('').meta({
    description: 'A part of what was stored; parts are added up.',
  }),
  events: z.int().min(0).max(MAX_COUNT),
  bytes: z.int().min(0).max(MAX_COUNT),
})
export type Meter = z.infer<typeof meter>

/** Unknown fields are ignored: a newer deployment may report to an older portal. */
export const heartbeat = z.object({
  licenseKey: z.string().max(200).optional().meta({
    description: 'At the first contact, where it does not stand in Authorization.',
  }),
  fingerprint: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{8,200}$/, 'must be 8 to 200 letters, digits or . _ : -')
    .meta({ description: 'Of the installation: the same after every start, of no other one.' }),
  name: line(200),
  version: line(100),
  layout,
  nodes: z
    .array(z.object({ name: line(200), role: line(100), version: line(100) }))
    .max(MAX_NODES)
    .default([]),
  meters: z.array(meter).max(MAX_METERS).default([]).meta({
    description:
      'Events and bytes that were stored, without the folder System. Each replaces what was reported before of its hour and source.',
  }),
})
export type Heartbeat = z.infer<typeof heartbeat>

const meterError = z.strictObject({
  index: z.int().meta({ description: 'Place in `meters`, from 0.' }),
  hour: z.string(),
  code: z.enum(['hour_ahead', 'hour_too_old', 'hour_not_whole']),
  message: z.string(),
})
export type MeterError = z.infer<typeof meterError>

export const heartbeatAnswer = z
  .strictObject({
    deploymentId,
    deploymentToken: z.string().optional().meta({
      description: 'At the first contact alone; the one before ends.',
    }),
    nextHeartbeatSeconds: z.int(),
    license: license.omit({ keys: true, organizationId: true, createdAt: true }),
    entitlement: z.string().meta({
      description:
        'Signed document (Ed25519) that says the same for 30 days without the portal; GET /license/entitlement-key has the key.',
    }),
    serverTime: timestamp,
    errors: z.array(meterError).meta({ description: 'Meters that were not taken.' }),
  })
  .meta({ id: 'HeartbeatAnswer' })
export type HeartbeatAnswer = z.infer<typeof heartbeatAnswer>

export const entitlementKey = z
  .strictObject({
    algorithm: z.literal('Ed25519'),
    publicKey: z.string().meta({ description: '32 bytes as base64.' }),
  })
  .meta({ id: 'EntitlementKey' })

export const deploymentState = z.enum(['registered', 'silent', 'retired']).meta({
  description: 'silent: nothing was heard of it for 24 hours. A retired one that reports is back.',
})
export const deployment = z
  .strictObject({
    id: deploymentId,
    organizationId,
    licenseId,
    name: z.string(),
    fingerprint: z.string(),
    version: z.string(),
    layout,
    nodes: z.array(z.strictObject({ name: z.string(), role: z.string(), version: z.string() })),
    state: deploymentState,
    createdAt: timestamp,
    lastSeenAt: timestamp,
    retiredAt: timestamp.nullable(),
    alerts: z.array(
      z.strictObject({
        code: z.enum(['fingerprint_conflict']),
        message: z.string(),
        since: timestamp,
        lastSeenAt: timestamp,
      }),
    ),
  })
  .meta({ id: 'Deployment' })
export type DeploymentTold = z.infer<typeof deployment>

export const changedDeployment = z.strictObject({
  name: line(200).nullable().optional().meta({ description: 'null: as it names itself.' }),
  state: z.literal('retired').optional().meta({ description: 'Its token ends.' }),
})

export const deploymentWithToken = z
  .strictObject({ deployment, deploymentToken: z.string() })
  .meta({ id: 'DeploymentWithToken' })

export const deploymentsQuery = pageQuery.extend({ licenseId: licenseId.optional() })
