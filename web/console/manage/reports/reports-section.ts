import { makeNamesField } from '../objects/names-field.tsx'
import { makeObjectsSection } from '../objects/objects-section.tsx'
import { ReportHead } from './report-head.tsx'
import { ReportHistory } from './report-history.tsx'
import { useReportColumns } from './report-state.tsx'
import { REPORT_TEXTS } from './texts.ts'

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
    controls: { targets: makeNamesField('alertTarget') },
    Head: ReportHead,
    tabs: [{ name: 'history', text: REPORT_TEXTS.tabs.history, Content: ReportHistory }],
  },
})
