import type { ComponentChildren } from 'preact'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import type { ExtraColumn } from '../objects/object-extras.ts'
import { Age } from '../parts/moment.tsx'
import { Pill, type Tone } from '../parts/pill.tsx'
import { REPORT_TEXTS } from './texts.ts'

const T = REPORT_TEXTS
const TONES: Readonly<Record<string, Tone>> = { sent: 'good', failed: 'error' }
const WORDS: Readonly<Record<string, string>> = T.states

type ReportTold = SdkAnswer<'reports'>['reports'][number]

/** Of a report, or of one of its runs. */
export function ReportState({ status }: { readonly status: string }) {
  return <Pill tone={TONES[status] ?? 'faint'}>{WORDS[status] ?? status}</Pill>
}

/** What became of the last one, beside its settings. */
export function useReportColumns(): readonly ExtraColumn[] {
  const { answer } = useAsked('reports', (signal) => runCommand('reports', {}, signal))
  const told = new Map(answer?.reports.map((one) => [one.name, one]))
  const column = (name: string, print: (report: ReportTold) => ComponentChildren): ExtraColumn => ({
    name,
    of: (report) => {
      const found = told.get(report)
      return found === undefined ? null : print(found)
    },
  })
  return [
    column(T.state, ({ status }) => <ReportState status={status} />),
    column(T.lastRun, ({ lastRun }) => <Age iso={lastRun} />),
    column(T.nextRun, ({ nextRun }) => <Age iso={nextRun} none={T.noNext} />),
    {
      name: T.sends,
      of: (_, { dashboard = '', search = '' }) =>
        dashboard === '' ? T.searchOf(search) : T.dashboardOf(dashboard),
    },
  ]
}
