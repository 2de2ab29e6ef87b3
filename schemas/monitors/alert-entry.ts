// What alerts tell is kept as entries of the audit log, in the transaction of what they tell of;
// these become events of System->alerts instead of System->audit (docs/decisions/0091).

const ALERT_ACTION = 'alert.'

/** As in `alert.opened`. */
export type AlertEvent = 'opened' | 'repeated' | 'closed' | 'escalated' | 'acknowledged' | 'muted'

export function alertAction(event: AlertEvent): string {
  return `${ALERT_ACTION}${event}`
}

export function isAlertAction(action: string): boolean {
  return action.startsWith(ALERT_ACTION)
}
