// The answer of the licence status: plan and actual volume, credits, forecast, alerts, deployments
// (docs/reference/license-status.md).
import { z } from 'zod'
import { timestamp } from '../common.ts'

const date = z.iso.date().meta({ description: 'A day in UTC.', examples: ['2026-03-31'] })
const bytes = z.int().min(0)
export const money = z
  .string()
  .regex(/^-?\d+\.\d{2,12}$/)
  .meta({ description: 'A decimal number with at least two digits after the point.' })

const period = z.strictObject({
  from: date.meta({ description: 'First day of the period, UTC.' }),
  to: date.meta({ description: 'Last day of the period, UTC; it is part of it.' }),
})

const plan = z.strictObject({
  name: z.string().meta({ description: 'Name of the plan.' }),
  volumeBytesPerDay: bytes.meta({ description: 'Volume of a day, on the average of the period.' }),
  allowedBytes: bytes.meta({ description: 'volumeBytesPerDay times the days of the period.' }),
  period,
})

const actual = z.strictObject({
  bytes: bytes.meta({ description: 'Stored from the first day of the period up to now.' }),
  dailyAverageBytes: bytes.meta({
    description: 'Of the whole days of the period that are over; 0 on its first day.',
  }),
  peakDay: z
    .strictObject({ date, bytes })
    .nullable()
    .meta({ description: 'The day of the period with the most bytes; null: none yet.' }),
})

export const GRANT_STATES = ['upcoming', 'active', 'used', 'expired', 'voided'] as const

const grant = z.strictObject({
  id: z.string(),
  state: z.enum(GRANT_STATES).meta({
    description: 'upcoming: not effective yet; used: nothing is left; voided: taken back.',
  }),
  amount: money.meta({ description: 'What was granted.' }),
  available: money.meta({ description: 'What is left to use.' }),
  burned: money.meta({ description: 'What it has paid.' }),
  expired: money.meta({ description: 'What expired unused.' }),
  voided: money.meta({ description: 'What was taken back.' }),
  priority: z.int().meta({ description: 'Lower numbers are used first.' }),
  effectiveAt: timestamp.meta({ description: 'From this moment on it pays.' }),
  expiresAt: timestamp.nullable().meta({ description: 'It pays before it; null: no end.' }),
  source: z.string().meta({ description: 'Where it comes from.' }),
})

export const creditBalance = z.strictObject({
  amount: money.meta({ description: 'What grants in force can still pay; never below zero.' }),
  currency: z.string().meta({ description: 'Code of ISO 4217.' }),
  upcoming: money.meta({ description: 'Of grants that are not effective yet.' }),
  uncovered: money.meta({ description: 'Usage that no grant paid, to be invoiced.' }),
  grants: z.array(grant),
})

const forecast = z.strictObject({
  bytesAtPeriodEnd: bytes.meta({ description: 'Volume of the period at its end.' }),
  exceedsPlanOn: date.nullable().meta({
    description:
      'First day at whose end the volume of the period is above plan.allowedBytes; null: none.',
  }),
  dayAbovePlanOn: date.nullable().meta({
    description: 'First day to come that is above plan.volumeBytesPerDay by itself; null: none.',
  }),
  creditsExhaustedOn: date.nullable().meta({
    description: 'First day of which credits do not pay all; null: none in this period.',
  }),
  confidence: z
    .strictObject({
      low: bytes,
      high: bytes,
      share: z.number().meta({ description: 'Of outcomes that are from low to high.' }),
    })
    .meta({ description: 'Band of bytesAtPeriodEnd.' }),
  method: z.string().meta({ description: 'How it was made, in words.' }),
})

export const ALERT_SEVERITIES = ['info', 'warning', 'critical'] as const

const alert = z.strictObject({
  code: z.string().meta({ description: 'Stable, snake_case; others may come.' }),
  severity: z.enum(ALERT_SEVERITIES),
  message: z.string().meta({ description: 'For people, with the figures of now.' }),
  since: timestamp.meta({ description: 'When it was raised.' }),
  deploymentId: z.string().nullable().meta({ description: 'Null: of the organization.' }),
})

export const keptAlert = alert
  .extend({ clearedAt: timestamp.nullable().meta({ description: 'Null: it holds.' }) })
  .meta({ id: 'KeptAlert' })

const deployment = z.strictObject({
  id: z.string(),
  name: z.string(),
  state: z.enum(['registered', 'silent', 'retired']).meta({
    description: 'silent: no report for 24 hours.',
  }),
  version: z.string().meta({ description: 'Of the product, as last reported.' }),
  lastHeartbeatAt: timestamp.meta({ description: 'When it last reported.' }),
  bytes: bytes.meta({ description: 'Stored from the first day of the period up to now.' }),
})

export const licenseStatus = z
  .strictObject({
    plan,
    actual,
    creditBalance,
    forecast: forecast.nullable().meta({ description: 'Null: see forecastReason.' }),
    forecastReason: z.string().nullable().meta({
      description: 'Why there is no forecast, such as under 14 days of data; null: there is one.',
    }),
    alerts: z.array(alert).meta({ description: 'Those that hold, newest first.' }),
    deployments: z.array(deployment).meta({
      description: 'The hundred that reported last; the list of deployments has all.',
    }),
  })
  .meta({ id: 'LicenseStatus' })
export type LicenseStatus = z.infer<typeof licenseStatus>

export const licenseStatusQuery = z.strictObject({
  deploymentId: z.string().max(64).optional().meta({
    description: 'Only this deployment in actual, forecast and deployments; plan and credits stay.',
  }),
})
