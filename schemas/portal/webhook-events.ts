// What happens at the portal and is told by webhooks, each kind with its data.
import { z } from 'zod'
import { licenseId, organizationId } from './accounts.ts'
import { idOf, timestamp } from './common.ts'
import { offerState } from './offers.ts'

const deploymentId = idOf('dep', 'a deployment')
const amount = z.string().meta({ description: 'Decimal text.', examples: ['12.50'] })
const currency = z.string().meta({ examples: ['EUR'] })

const alert = z
  .strictObject({
    organizationId,
    licenseId: licenseId.meta({ description: 'The licence in force.' }),
    deploymentId: deploymentId.nullable().meta({ description: 'Null: of the organization.' }),
    code: z.string().meta({ description: 'As in the alerts of `GET /license/status`.' }),
    severity: z.enum(['info', 'warning', 'critical']),
    message: z.string(),
    since: timestamp,
  })
  .meta({ id: 'AlertEvent' })

const registered = z
  .strictObject({
    ...{ organizationId, licenseId, deploymentId },
    name: z.string(),
    version: z.string(),
    layout: z.string(),
  })
  .meta({ id: 'DeploymentEvent' })

const offer = z
  .strictObject({
    organizationId,
    offerId: idOf('ofr', 'an offer'),
    version: z.int(),
    title: z.string(),
    state: offerState,
    validUntil: timestamp,
    licenseId: licenseId.nullable().meta({ description: 'That was made or changed by it.' }),
    rejectionReason: z.string().nullable(),
  })
  .meta({ id: 'OfferEvent' })

const granted = z
  .strictObject({
    organizationId,
    grantId: z.string(),
    ...{ amount, currency },
    source: z.string().meta({ description: 'Where it comes from.' }),
    effectiveAt: timestamp,
    expiresAt: timestamp.nullable(),
  })
  .meta({ id: 'CreditsGrantedEvent' })

const burned = z
  .strictObject({
    organizationId,
    date: z.string().meta({ description: 'Day in UTC.', examples: ['2026-11-24'] }),
    amount: amount.meta({
      description: 'What credits paid of the usage of the day, as known then.',
    }),
    uncovered: amount.meta({ description: 'What no credits paid: to be invoiced.' }),
    currency,
    balance: amount.meta({ description: 'Credits left at the end of the day.' }),
  })
  .meta({ id: 'CreditsBurnedEvent' })

const test = z.strictObject({ organizationId, webhookId: z.string() }).meta({ id: 'TestEvent' })

/** By kind: its data, and when it is told. */
export const WEBHOOK_EVENTS = {
  'deployment.registered': { data: registered, told: 'A deployment made its first contact.' },
  'deployment.silent': { data: alert, told: 'A deployment has not reported for 24 hours.' },
  'deployment.conflict': { data: alert, told: 'One installation reports from two places.' },
  'license.threshold': {
    data: alert,
    told: 'The volume comes near the plan (`plan_near_limit`), or exceeds it (`plan_exceeded`).',
  },
  'license.forecast': {
    data: alert,
    told: 'The plan (`forecast_exceeds_plan`) or the credits (`credits_forecast_exhausted`) will not last.',
  },
  'license.expiring': {
    data: alert,
    told: 'The licence is in its last 30 days; a short one, in its last third.',
  },
  'license.expired': { data: alert, told: 'The licence has ended.' },
  'license.suspended': { data: alert, told: 'The licence was suspended.' },
  'license.revoked': { data: alert, told: 'The licence was revoked.' },
  'offer.sent': { data: offer, told: 'An offer was sent.' },
  'offer.accepted': { data: offer, told: 'An offer was accepted.' },
  'offer.rejected': { data: offer, told: 'An offer was rejected.' },
  'offer.expired': { data: offer, told: 'An offer was not decided in time.' },
  'credits.granted': { data: granted, told: 'Credits were given.' },
  'credits.burned': {
    data: burned,
    told: 'Once a day: the credits that the usage of the previous day consumed.',
  },
  'credits.low': { data: alert, told: 'Less than a fifth of the credits is left.' },
  'credits.exhausted': { data: alert, told: 'No credits are left.' },
  'webhook.test': { data: test, told: 'A test was asked for; every webhook takes it.' },
} as const satisfies Readonly<Record<string, { data: z.ZodType; told: string }>>

export type WebhookEventKind = keyof typeof WEBHOOK_EVENTS
export type WebhookEventData<Kind extends WebhookEventKind> = z.input<
  (typeof WEBHOOK_EVENTS)[Kind]['data']
>

export const EVENT_KINDS = Object.keys(WEBHOOK_EVENTS).filter(isKind)

/** Of a webhook. */
export function webhookBodyOf(kind: WebhookEventKind) {
  return z.strictObject({
    type: z.literal(kind),
    timestamp: timestamp.meta({ description: 'When it happened.' }),
    data: WEBHOOK_EVENTS[kind].data,
  })
}

function isKind(text: string): text is WebhookEventKind {
  return Object.hasOwn(WEBHOOK_EVENTS, text)
}
