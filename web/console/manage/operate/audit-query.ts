// The audit log without what only looked: a search, a list, a trial, also one that was stopped by
// who began it. Refusals stay. Pure.
import type { SdkCommandName } from '../../../../schemas/sdk/commands.ts'

const SCOPE = 'in log.System->audit'

/** They change nothing, whatever is asked. What gives much away at once, such as an export, is no
 *  look. */
const LOOKS: readonly SdkCommandName[] = [
  'diskUsage',
  'doctor',
  'list',
  'listArchives',
  'listCollected',
  'listDeletions',
  'listHolds',
  'listTaskRuns',
  'silentLogs',
  'suggestPattern',
  'systemState',
  'testMonitor',
  'usage',
  'verifyMask',
  'verifyPattern',
]
/** They are looks where they are given nothing, or no more than what to show. */
const BARE_LOOKS: readonly SdkCommandName[] = [
  'alerts',
  'apiToken',
  'license',
  'monitors',
  'ownSessions',
  'reports',
  'secondFactor',
  'settings',
]
const SHOWN = ['list', 'get', 'state', 'limit', 'id', 'name'].map((name) => `details.${name}`)
/** Where an argument says what to do. */
const LOOKING = ['list', 'show']
const ENDS = ['done', 'search.cancelled']
const VIEWS = ['search.*', 'dashboard.*']

export function auditQuery(hasLooks: boolean): string {
  if (hasLooks) return `* ${SCOPE}`
  const actions = [...VIEWS, ...LOOKS.map((name) => `sdk.${name}`)]
  const looks = actions.map((action) => `action = ${action}`).join(' or ')
  const ends = ENDS.map((result) => `result = ${result}`).join(' or ')
  return `not ((${ends}) and (${looks})) ${SCOPE}`
}

/** Of those that no query can tell. */
export function isBareLook(columns: Readonly<Record<string, unknown>>): boolean {
  const { action, result } = columns
  return (
    result === 'done' &&
    BARE_LOOKS.some((name) => action === `sdk.${name}`) &&
    !Object.entries(columns).some(([name, value]) => isDeed(name, value))
  )
}

/** What was done, where the name of the command says no more than to what. */
export function deedOf(columns: Readonly<Record<string, unknown>>): string | undefined {
  const { action, 'details.action': said } = columns
  if (said !== undefined && said !== null) return String(said)
  if (!BARE_LOOKS.some((name) => action === `sdk.${name}`)) return undefined
  const deed = Object.keys(columns).find((name) => isDeed(name, columns[name]))
  return deed?.slice('details.'.length)
}

function isDeed(name: string, value: unknown): boolean {
  if (name === 'details.action') return !LOOKING.includes(String(value))
  return name.startsWith('details.') && !SHOWN.includes(name)
}
