// What an alert is about: when it is raised, when it is kept, and its words. Raising needs more
// than keeping, so that a figure near a limit does not raise and clear by turns.

export const ALERT_CODES = [
  'plan_near_limit',
  'plan_exceeded',
  'forecast_exceeds_plan',
  'credits_low',
  'credits_exhausted',
  'credits_forecast_exhausted',
  'license_expiring',
  'license_expired',
  'license_suspended',
  'license_revoked',
  'deployment_silent',
  'fingerprint_conflict',
] as const
export type AlertCode = (typeof ALERT_CODES)[number]
export type Severity = 'info' | 'warning' | 'critical'

/** Bytes, amounts and moments (epoch milliseconds) of one organisation. */
export type Figures = {
  readonly license: {
    readonly state: 'upcoming' | 'active' | 'expiring' | 'expired' | 'suspended' | 'revoked'
    readonly validToMs: number
  }
  /** Of the whole period. */
  readonly allowedBytes: number
  readonly actualBytes: number
  readonly periodTo: string
  readonly forecast: {
    readonly bytesAtPeriodEnd: number
    readonly exceedsPlanOn: string | null
  } | null
  /** Null: the organisation never had credits. */
  readonly credits: {
    /** Shares are taken of it: what grants in force came to when they were given. */
    readonly granted: number
    readonly amount: number
    readonly shownAmount: string
    readonly currency: string
    readonly exhaustedOn: string | null
  } | null
  readonly deployments: readonly {
    readonly id: string
    readonly name: string
    readonly isRetired: boolean
    readonly lastHeartbeatMs: number
    /** Last time that its fingerprint came from two places; null: never. */
    readonly lastConflictMs: number | null
  }[]
}

export type Condition = {
  readonly code: AlertCode
  /** Id of a deployment; null: the organisation. */
  readonly subject: string | null
  readonly severity: Severity
  readonly isRaised: boolean
  /** Once raised, it stays while this holds; true whenever `isRaised` is. */
  readonly isKept: boolean
  readonly message: string
}

const NEAR = { raise: 0.8, keep: 0.75 }
const FORECAST = { raise: 1, keep: 0.95 }
const LOW = { raise: 0.2, keep: 0.25 }
const DAY_MS = 86_400_000
const SILENT_HOURS = 24
const CONFLICT_DAYS = 7

export function findConditions(figures: Figures, nowMs: number): Condition[] {
  return [
    ...planConditions(figures),
    ...creditConditions(figures),
    ...licenseConditions(figures, nowMs),
    ...figures.deployments.flatMap((it) => deploymentConditions(it, nowMs)),
  ]
}

function planConditions({ allowedBytes, actualBytes, forecast, periodTo }: Figures): Condition[] {
  const share = allowedBytes === 0 ? 0 : actualBytes / allowedBytes
  const isOver = actualBytes > allowedBytes
  const used = `${printBytes(actualBytes)} of the ${printBytes(allowedBytes)} that the plan allows up to ${periodTo}`
  const expected = forecast?.bytesAtPeriodEnd ?? 0
  const isAhead = (limit: number) => forecast !== null && !isOver && expected > limit * allowedBytes
  const on = forecast?.exceedsPlanOn
  return [
    {
      ...condition('plan_near_limit', 'warning'),
      isRaised: share >= NEAR.raise && !isOver,
      isKept: share >= NEAR.keep && !isOver,
      message: `${percent(share)} of the plan is used: ${used}.`,
    },
    {
      ...condition('plan_exceeded', 'critical'),
      isRaised: isOver,
      isKept: isOver,
      message: `The plan is exceeded: ${used}. Nothing stops; ask for a larger plan.`,
    },
    {
      ...condition('forecast_exceeds_plan', 'warning'),
      isRaised: isAhead(FORECAST.raise),
      isKept: isAhead(FORECAST.keep),
      message:
        `By ${periodTo} about ${printBytes(expected)} are expected; the plan allows ` +
        `${printBytes(allowedBytes)}${on ? `, which is used up about ${on}` : ''}.`,
    },
  ]
}

function creditConditions({ credits, periodTo }: Figures): Condition[] {
  if (credits === null) return []
  const { granted, amount, shownAmount, currency, exhaustedOn } = credits
  const isGone = amount <= 0
  const isLow = (limit: number) => !isGone && amount < limit * granted
  const isEnding = exhaustedOn !== null && !isGone
  return [
    {
      ...condition('credits_low', 'warning'),
      isRaised: isLow(LOW.raise),
      isKept: isLow(LOW.keep),
      message: `${shownAmount} ${currency} of credits are left, ${percent(amount / granted)} of what was granted.`,
    },
    {
      ...condition('credits_exhausted', 'critical'),
      isRaised: isGone,
      isKept: isGone,
      message: 'No credits are left; what is used from now on is invoiced.',
    },
    {
      ...condition('credits_forecast_exhausted', 'warning'),
      isRaised: isEnding,
      isKept: isEnding,
      message: `The credits (${shownAmount} ${currency}) will be used up about ${exhaustedOn ?? periodTo}.`,
    },
  ]
}

function licenseConditions({ license }: Figures, nowMs: number): Condition[] {
  const { state, validToMs } = license
  const isEnded = state === 'revoked' || state === 'suspended'
  const isExpired = !isEnded && (state === 'expired' || validToMs <= nowMs)
  const isExpiring = state === 'expiring' && !isExpired
  const day = printDay(validToMs)
  const days = Math.ceil((validToMs - nowMs) / DAY_MS)
  const always = (code: AlertCode, severity: Severity, holds: boolean, message: string) => ({
    ...condition(code, severity),
    isRaised: holds,
    isKept: holds,
    message,
  })
  return [
    always(
      'license_expiring',
      'warning',
      isExpiring,
      `The licence expires on ${day}, in ${days === 1 ? 'one day' : `${days} days`}.`,
    ),
    always(
      'license_expired',
      'critical',
      isExpired,
      `The licence expired on ${day}. Deployments keep working; ask for a new one.`,
    ),
    always('license_suspended', 'critical', state === 'suspended', 'The licence is suspended.'),
    always('license_revoked', 'critical', state === 'revoked', 'The licence was revoked.'),
  ]
}

function deploymentConditions(it: Figures['deployments'][number], nowMs: number): Condition[] {
  const hours = Math.floor((nowMs - it.lastHeartbeatMs) / 3_600_000)
  const isSilent = !it.isRetired && hours >= SILENT_HOURS
  const isDoubtful =
    it.lastConflictMs !== null && nowMs - it.lastConflictMs <= CONFLICT_DAYS * DAY_MS
  return [
    {
      ...condition('deployment_silent', 'warning', it.id),
      isRaised: isSilent,
      isKept: isSilent,
      message: `${it.name} has not reported since ${printMoment(it.lastHeartbeatMs)}, for ${hours} hours; its volume is not counted.`,
    },
    {
      ...condition('fingerprint_conflict', 'critical', it.id),
      isRaised: isDoubtful,
      isKept: isDoubtful,
      message: `${it.name} reports from two places with one fingerprint, last at ${printMoment(it.lastConflictMs ?? 0)}: was it copied?`,
    },
  ]
}

function condition(code: AlertCode, severity: Severity, subject: string | null = null) {
  return { code, severity, subject }
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

export function printBytes(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${unit === 0 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`
}

/** Never more than is true: 99.9 % is shown as 99 %. */
function percent(share: number): string {
  return `${Math.floor(100 * share)} %`
}

function printDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function printMoment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
