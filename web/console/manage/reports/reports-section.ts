import { makeObjectsSection } from '../objects/objects-section.tsx'
import { ReportHead } from './report-head.tsx'
import { ReportHistory } from './report-history.tsx'
import { useReportColumns } from './report-state.tsx'
import { REPORT_TEXTS } from './texts.ts'

export const ReportsSection = makeObjectsSection(['report'], {
  report: {
    useColumns: useReportColumns,
    Head: ReportHead,
    tabs: [{ name: 'history', text: REPORT_TEXTS.tabs.history, Content: ReportHistory }],
  },
})
