// addReport: makes a report, or with -update changes one. It is made with the rights of its owner,
// so it is his and the administrators' (docs/decisions/0125).
import type { DatabaseTransaction } from '../../../../infra/database/port.ts'
import { findBookAccount } from '../../../../infra/metastore/address-book/book-accounts.ts'
import type { Membership } from '../../../../infra/metastore/dashboards/app-access.ts'
import { requireApp, requireDashboard } from '../../../../infra/metastore/dashboards/read-apps.ts'
import {
  changeReport,
  type GivenSettings,
  addReport as makeReport,
  type Report,
  requireReport,
} from '../../../../infra/metastore/reports/reports.ts'
import { requireOwnSearch } from '../../../../infra/metastore/searches/saved-searches.ts'
import { ACCOUNT_SETTINGS } from '../../../../schemas/address-book.ts'
import { NAME_SEPARATOR } from '../../../../schemas/dashboards/app.ts'
import { Failure, isFailure } from '../../../../schemas/failures.ts'
import type { SdkInput } from '../../../../schemas/sdk/commands.ts'
import { addReport as published } from '../../../../schemas/sdk/reports/add-report.ts'
import { printNextRuns, readDuePlan } from '../../../monitors/due-plan.ts'
import { ownerName, readOwner } from '../../monitors/monitor-owner.ts'
import { memberOf } from '../../objects/member-of.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addReport = serveCommand(
  published,
  async (input, { clock, caller, settings: productSettings, objects }) => {
    const who = memberOf(await objects.viewer())
    return async (transaction) => {
      const nowMs = clock.nowMs()
      const { name, update, owner, enabled: isEnabled } = input
      const before =
        update === true ? await requireReport(transaction, name, caller.user) : undefined
      const ownerId = await readOwner(transaction, owner, caller.user)
      const settings = await readSettings(transaction, input, who)
      const change = { isEnabled, settings }
      const report =
        before === undefined
          ? await makeReport(
              transaction,
              { name, ...change, ownerId: ownerId ?? caller.user.id },
              nowMs,
            )
          : await changeReport(transaction, before, { ...change, ownerId }, nowMs)
      checkWhole(report)
      const plan = readDuePlan({ ...report.settings, businessHours: '' }, productSettings)
      return {
        name: report.name,
        owner: await ownerName(transaction, report.ownerId),
        enabled: report.isEnabled,
        nextRuns: printNextRuns(plan, nowMs),
        notes: await notesOn(transaction, report),
      }
    }
  },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

/** Fails with object.not_found, sdk.argument. */
async function readSettings(
  transaction: DatabaseTransaction,
  input: SdkInput<'addReport'>,
  who: Membership | undefined,
): Promise<GivenSettings> {
  const { dashboard, search, timeZone, targets, schedule, subject, description } = input
  if (dashboard && search) throw refuse('search', 'does not go together with dashboard')
  return {
    ...{ schedule, subject, description },
    // The one takes the place of the other.
    dashboard: dashboard ? await spellDashboard(transaction, dashboard, who) : search && '',
    search: dashboard ? '' : search,
    ...(dashboard === '' ? { dashboard } : {}),
    timeZone: timeZone === undefined ? undefined : (timeZone ?? ''),
    targets: targets === undefined ? undefined : await spellTargets(transaction, targets),
  }
}

async function spellDashboard(
  transaction: DatabaseTransaction,
  name: string,
  who: Membership | undefined,
): Promise<string> {
  const [first = '', second] = name.split(NAME_SEPARATOR)
  if (second === undefined)
    throw refuse('dashboard', `must be an app ${NAME_SEPARATOR} a dashboard`)
  const app = await requireApp(transaction, first.trim(), who)
  const dashboard = await requireDashboard(transaction, app.id, second.trim())
  return `${app.name}${NAME_SEPARATOR}${dashboard.name}`
}

/** Once each, as they are spelled. */
async function spellTargets(
  transaction: DatabaseTransaction,
  names: readonly string[],
): Promise<readonly string[]> {
  const spelled = new Set<string>()
  for (const name of names) {
    const account = await findBookAccount(transaction, name)
    if (account?.kind !== 'alertTarget')
      throw new Failure('object.not_found', { kind: 'alert target', name })
    if (ACCOUNT_SETTINGS.alertTarget.parse(account.settings).type !== 'mail')
      throw refuse('targets', `${account.name} is not of the type mail`)
    spelled.add(account.name)
  }
  return [...spelled]
}

/** Fails with sdk.argument. */
function checkWhole({ settings: { dashboard, search, targets } }: Report): void {
  if (dashboard === '' && search === '')
    throw refuse('dashboard', 'is missing: give a dashboard or a saved search')
  if (targets.length === 0) throw refuse('targets', 'is missing: who gets it')
}

async function notesOn(
  transaction: DatabaseTransaction,
  { settings, isEnabled, ownerId }: Report,
): Promise<string[]> {
  return [
    ...(settings.schedule === 'never' ? ['schedule: it is never sent by itself'] : []),
    ...(isEnabled ? [] : ['it is disabled and not sent by its schedule']),
    ...(settings.search === '' || (await hasSearch(transaction, ownerId, settings.search))
      ? []
      : [`search: its owner has no search ${settings.search} yet; nothing is sent without it`]),
  ]
}

async function hasSearch(
  transaction: DatabaseTransaction,
  ownerId: number,
  name: string,
): Promise<boolean> {
  try {
    await requireOwnSearch(transaction, { id: ownerId, isAdministrator: false }, name)
    return true
  } catch (error) {
    if (!isFailure(error)) throw error
    return false
  }
}

function refuse(argument: string, reason: string): Failure {
  return new Failure('sdk.argument', { argument, reason })
}
