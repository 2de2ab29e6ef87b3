import { makeNamesField } from '../objects/names-field.tsx'
import { makeObjectsSection } from '../objects/objects-section.tsx'
import { cronForm } from '../schedule/cron-draft.ts'
import { makeScheduleField } from '../schedule/schedule-field.tsx'
import { WindowField } from '../schedule/window-field.tsx'
import { MONITOR_HELP } from './field-help.ts'
import { findMonitorMisfit } from './find-misfit.ts'
import { MAINTENANCE_TEXTS } from './maintenance/texts.ts'
import { useMaintenanceColumns } from './maintenance/when-columns.tsx'
import { USUAL_CRON, WHEN_ARGUMENTS, WhenField } from './maintenance/when-field.tsx'
import { MonitorHead } from './monitor-head.tsx'
import { MonitorHistory } from './monitor-history.tsx'
import { useMonitorColumns } from './monitor-state.tsx'
import { ColumnControl, QueryControl, SourcesControl } from './query-control.tsx'
import { RuleField } from './rule-field.tsx'
import { MONITOR_TEXTS } from './texts.ts'
import { MonitorTrial } from './trial/monitor-trial.tsx'
import { TryPanel } from './trial/try-panel.tsx'

const T = MONITOR_TEXTS.tabs

const P = MONITOR_TEXTS.parts
const MONITOR_PARTS = [
  { title: P.what, names: ['query', 'rule', 'window', 'groupBy', 'sources'] },
  { title: P.when, names: ['schedule', 'timeZone', 'businessHours', 'delaySeconds'] },
  { title: P.opens, names: ['severity', 'openAfter', 'closeAfter', 'once', 'maxAlertsPerHour'] },
  { title: P.told, names: ['actions', 'escalation', 'tellEnd', 'subject', 'text'] },
  { title: P.rest, names: ['owner', 'description', 'enabled'] },
]

export const MonitorsSection = makeObjectsSection(['monitor', 'maintenanceWindow'], {
  monitor: {
    useColumns: useMonitorColumns,
    parts: MONITOR_PARTS,
    help: MONITOR_HELP,
    controls: {
      query: QueryControl,
      sources: SourcesControl,
      groupBy: ColumnControl,
      schedule: makeScheduleField({ usual: 'every 5m' }),
      window: WindowField,
      rule: RuleField,
      actions: makeNamesField('alertTarget'),
    },
    findMisfit: findMonitorMisfit,
    Beside: TryPanel,
    Head: MonitorHead,
    tabs: [
      { name: 'history', text: T.history, Content: MonitorHistory },
      { name: 'trial', text: T.trial, Content: MonitorTrial },
    ],
  },
  maintenanceWindow: {
    useColumns: useMaintenanceColumns,
    controls: {
      start: WhenField,
      cron: makeScheduleField({
        ...{ usual: USUAL_CRON, label: MAINTENANCE_TEXTS.cron },
        form: cronForm({ isOptional: false }),
      }),
      monitors: makeNamesField('monitor'),
    },
    within: WHEN_ARGUMENTS,
  },
})
