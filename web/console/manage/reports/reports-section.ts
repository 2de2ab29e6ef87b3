import { listSearches } from '../../../shared/api/saved-searches.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { REPORT_HELP } from '../monitors/field-help.ts'
import { makeNameField } from '../objects/name-field.tsx'
import { makeNamesField } from '../objects/names-field.tsx'
import { makeObjectsSection } from '../objects/objects-section.tsx'
import { makeScheduleField } from '../schedule/schedule-field.tsx'
import { ReportHead } from './report-head.tsx'
import { ReportHistory } from './report-history.tsx'
import { useReportColumns } from './report-state.tsx'
import { REPORT_TEXTS } from './texts.ts'

const MOST_SEARCHES = 1000

const DashboardField = makeNameField({
  ...{ key: 'dashboards', other: 'search' },
  list: async (signal) => {
    const { objects } = await runCommand('list', { type: 'dashboard' }, signal)
    return objects.map(({ name }) => name)
  },
})
const SearchField = makeNameField({
  ...{ key: 'searches', other: 'dashboard' },
  list: async (signal) => {
    const { searches } = await listSearches({ find: '', limit: MOST_SEARCHES }, signal)
    return [...new Set(searches.map(({ name }) => name))]
  },
})
const TargetsField = makeNamesField('alertTarget')

const P = REPORT_TEXTS.parts
const REPORT_PARTS = [
  { title: P.what, names: ['dashboard', 'search'] },
  { title: P.when, names: ['schedule', 'timeZone'] },
  { title: P.told, names: ['targets', 'subject', 'description'] },
]

export const ReportsSection = makeObjectsSection(['report'], {
  report: {
    useColumns: useReportColumns,
    parts: REPORT_PARTS,
    help: REPORT_HELP,
    controls: {
      schedule: makeScheduleField({ usual: 'daily 08:00' }),
      dashboard: DashboardField,
      search: SearchField,
      targets: TargetsField,
    },
    Head: ReportHead,
    tabs: [{ name: 'history', text: REPORT_TEXTS.tabs.history, Content: ReportHistory }],
  },
})
