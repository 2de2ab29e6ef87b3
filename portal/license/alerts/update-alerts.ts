// Alerts with their history: from the figures of now and the alerts so far to the alerts of now.
import {
  type AlertCode,
  type Condition,
  type Figures,
  findConditions,
  type Severity,
} from './conditions.ts'

export type Alert = {
  readonly code: AlertCode
  /** Id of a deployment; null: the organisation. */
  readonly subject: string | null
  readonly severity: Severity
  /** With the figures of the last look. */
  readonly message: string
  readonly sinceMs: number
  /** When its condition last held. */
  readonly lastHeldMs: number
  /** Null: it holds. */
  readonly clearedMs: number | null
}

export type UpdatedAlerts = {
  /** All, cleared ones included, oldest first. */
  readonly alerts: readonly Alert[]
  readonly raised: readonly Alert[]
  readonly cleared: readonly Alert[]
}

/** Forecasts move each day: such an alert is cleared after its condition was away for a day. */
const HOLD_MS = 86_400_000
const HELD: readonly AlertCode[] = ['forecast_exceeds_plan', 'credits_forecast_exhausted']
/** These end when something worse or better is certain, without waiting. */
const ENDED_BY: Readonly<Partial<Record<AlertCode, AlertCode>>> = {
  forecast_exceeds_plan: 'plan_exceeded',
  credits_forecast_exhausted: 'credits_exhausted',
}

/** `earlier`: as the last update returned them. A second update with the same figures and moment
 *  changes nothing. */
export function updateAlerts(
  figures: Figures,
  earlier: readonly Alert[],
  nowMs: number,
): UpdatedAlerts {
  const conditions = findConditions(figures, nowMs)
  const byKey = new Map(conditions.map((it) => [keyOf(it), it]))
  const cleared: Alert[] = []
  const alerts = earlier.map((alert) => {
    if (alert.clearedMs !== null) return alert
    const next = look(alert, byKey, nowMs)
    if (next.clearedMs !== null) cleared.push(next)
    return next
  })
  const open = new Set(alerts.filter((it) => it.clearedMs === null).map(keyOf))
  const raised = conditions
    .filter((it) => it.isRaised && !open.has(keyOf(it)))
    .map(({ code, subject, severity, message }): Alert => {
      const held = { sinceMs: nowMs, lastHeldMs: nowMs, clearedMs: null }
      return { code, subject, severity, message, ...held }
    })
  return { alerts: [...alerts, ...raised], raised, cleared }
}

function look(alert: Alert, byKey: ReadonlyMap<string, Condition>, nowMs: number): Alert {
  const condition = byKey.get(keyOf(alert))
  if (condition?.isKept)
    return { ...alert, severity: condition.severity, message: condition.message, lastHeldMs: nowMs }
  const worse = ENDED_BY[alert.code]
  const isEnded = worse !== undefined && byKey.get(keyOf({ code: worse, subject: null }))?.isRaised
  const isHeld = HELD.includes(alert.code) && nowMs - alert.lastHeldMs < HOLD_MS
  return isHeld && !isEnded ? alert : { ...alert, clearedMs: nowMs }
}

function keyOf({ code, subject }: Pick<Alert, 'code' | 'subject'>): string {
  return `${code} ${subject ?? ''}`
}
