// addMaintenanceWindow: makes a maintenance window, or with -update changes one.
import {
  changeMaintenanceWindow,
  type MaintenanceWindow,
  addMaintenanceWindow as makeWindow,
} from '../../../../infra/metastore/monitors/maintenance-windows.ts'
import { Failure } from '../../../../schemas/failures.ts'
import { isInWindow } from '../../../../schemas/monitors/maintenance.ts'
import { addMaintenanceWindow as published } from '../../../../schemas/sdk/monitors/add-maintenance-window.ts'
import { timeZone } from '../../../../schemas/time/time-zone.ts'
import { monitorViewer } from '../../monitors/monitor-owner.ts'
import { requireOwnMonitors, requireOwnWindow } from '../../monitors/own-windows.ts'
import { serveCommand } from '../../server/serve-command.ts'

export const addMaintenanceWindow = serveCommand(
  published,
  (input, { clock, caller, settings: productSettings }) =>
    async (transaction) => {
      const { name, update, enabled: isEnabled, start, end, cron, minutes, description } = input
      const nowMs = clock.nowMs()
      const viewer = monitorViewer(caller.user)
      if (update === true) await requireOwnWindow(transaction, name, viewer)
      const monitors =
        input.monitors === undefined
          ? undefined
          : await requireOwnMonitors(transaction, input.monitors, viewer)
      const zone = input.timeZone === undefined ? undefined : (input.timeZone ?? '')
      const settings = { monitors, start, end, cron, minutes, description, timeZone: zone }
      const change = { name, isEnabled, settings }
      const window =
        update === true
          ? await changeMaintenanceWindow(transaction, name, change, nowMs)
          : await makeWindow(transaction, change, nowMs)
      requireTimes(window)
      if (window.settings.monitors.length === 0 && !caller.user.isAdministrator)
        throw new Failure('sdk.argument', {
          ...{ argument: 'monitors', reason: 'is missing: only administrators make one for all' },
        })
      const systemZone = productSettings.setting('system.timeZone')
      const isNow =
        window.isEnabled &&
        isInWindow(window.settings, nowMs, timeZone(window.settings.timeZone || systemZone))
      return { name: window.name, enabled: window.isEnabled, isNow }
    },
  { hints: { 'object.exists': 'give -update true to change it' } },
)

function requireTimes({ settings: { start, end, cron } }: MaintenanceWindow): void {
  const refuse = (argument: string, reason: string) =>
    new Failure('sdk.argument', { argument, reason })
  if ((start === '') !== (end === '')) throw refuse('end', 'goes together with start')
  if (start !== '' && Date.parse(end) <= Date.parse(start))
    throw refuse('end', 'must be after start')
  if (start === '' && cron === '') throw refuse('start', 'is missing: give start and end, or cron')
}
