import { makeObjectsSection } from '../objects/objects-section.tsx'
import { findMonitorMisfit } from './find-misfit.ts'
import { MonitorHead } from './monitor-head.tsx'
import { MonitorHistory } from './monitor-history.tsx'
import { useMonitorColumns } from './monitor-state.tsx'
import { MonitorTrial } from './monitor-trial.tsx'
import { RuleField } from './rule-field.tsx'
import { MONITOR_TEXTS } from './texts.ts'

const T = MONITOR_TEXTS.tabs

export const MonitorsSection = makeObjectsSection(['monitor', 'maintenanceWindow'], {
  monitor: {
    useColumns: useMonitorColumns,
    controls: { rule: RuleField },
    findMisfit: findMonitorMisfit,
    Head: MonitorHead,
    tabs: [
      { name: 'history', text: T.history, Content: MonitorHistory },
      { name: 'trial', text: T.trial, Content: MonitorTrial },
    ],
  },
})
