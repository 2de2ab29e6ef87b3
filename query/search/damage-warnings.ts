// Which damage of the store a search touches (decision 0021), as far as its user may know of it: of
// a log that he may not see neither the name nor a number is told.

import { type Damage, describeDamage, isNamedOnce } from '../../schemas/keep/store-damage.ts'
import { logPathKey } from '../../schemas/names/log-path.ts'
import type { TimeWindow } from '../../schemas/time/time-window.ts'
import type { Warning } from '../../schemas/warning.ts'
import type { VisibleScope } from './visible-scope.ts'

const DAY_MS = 86_400_000
const MAX_WARNINGS = 20

type Asked = { readonly query: string; readonly window: TimeWindow }

/** `asked` undefined: what was asked is not known any more; then all of time counts, and counters
 *  too. */
export function damageWarnings(
  damage: readonly Damage[],
  asked: Asked | undefined,
  scope: Pick<VisibleScope, 'visibleLogs' | 'seesAll' | 'names'>,
): Warning[] {
  if (damage.length === 0) return []
  const visible = scope.seesAll ? undefined : new Set(scope.visibleLogs.map(({ id }) => id))
  const warnings: Warning[] = []
  const messages = new Set<string>()
  for (const one of damage) {
    const { kind, logId } = one
    if (kind === 'keys') continue
    const isCounters = kind === 'counters'
    if (isCounters && asked !== undefined && !/\bdatastream\b/i.test(asked.query)) continue
    if (logId !== 0 && visible !== undefined && !visible.has(logId)) continue
    if (asked !== undefined && !touches(one, asked.window)) continue
    const log = scope.names.get(logId)
    const isCounted = logId !== 0 || visible === undefined
    const message = describeDamage(one, {
      log: log && logPathKey(log.folder, log.name),
      isCounted,
    })
    if (messages.has(message)) continue
    messages.add(message)
    warnings.push({ code: isCounters ? 'store.counters' : 'store.damaged', message })
  }
  if (warnings.length <= MAX_WARNINGS) return warnings
  const more = warnings.length - MAX_WARNINGS
  const message = `the store has damage in ${more} more logs or days`
  return [...warnings.slice(0, MAX_WARNINGS), { code: 'store.damaged', message }]
}

/** An event is at most a day ahead of its receipt, and any time behind it. */
function touches(damage: Damage, { startMs, endMs }: TimeWindow): boolean {
  const { kind, day } = damage
  const isOfAnyLog = kind === 'store' || isNamedOnce(kind)
  const lastMs = isOfAnyLog || day === 0 ? damage.toMs : (day + 1) * DAY_MS
  const toMs = !isOfAnyLog && damage.toMs !== null ? damage.toMs : lastMs && lastMs + DAY_MS
  const fromMs = isOfAnyLog ? null : damage.fromMs
  if (startMs !== null && toMs !== null && toMs <= startMs) return false
  return endMs === null || fromMs === null || fromMs < endMs
}
