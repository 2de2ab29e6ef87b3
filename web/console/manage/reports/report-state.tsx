import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import type { ListedObject } from '../objects/listed-object.ts'
import type { ExtraColumn } from '../objects/object-extras.ts'
import { toldColumns } from '../objects/told-columns.ts'
import { Age } from '../parts/moment.tsx'
import { Pill, type Tone } from '../parts/pill.tsx'
import { REPORT_TEXTS } from './texts.ts'

const T = REPORT_TEXTS
const TONES: Readonly<Record<string, Tone>> = { sent: 'good', failed: 'error' }
const WORDS: Readonly<Record<string, string>> = T.states

/** Of a report, or of one of its runs. */
export function ReportState({ status }: { readonly status: string }) {
  return <Pill tone={TONES[status] ?? 'faint'}>{WORDS[status] ?? status}</Pill>
}

/** What became of the last one, beside its settings. */
export function useReportColumns(): readonly ExtraColumn[] {
  const { answer } = useAsked('reports', (signal) => runCommand('reports', {}, signal))
  const column = toldColumns(answer?.reports)
  return [
    column(
      T.state,
      ({ status }) => status,
      ({ status }) => <ReportState status={status} />,
    ),
    column(
      T.lastRun,
      ({ lastRun }) => lastRun,
      ({ lastRun }) => <Age iso={lastRun} />,
    ),
    column(
      T.nextRun,
      ({ nextRun }) => nextRun,
      ({ nextRun }) => <Age iso={nextRun} none={T.noNext} />,
    ),
    { name: T.sends, of: (_, given) => saySent(given), rankOf: (_, given) => saySent(given) },
  ]
}

function saySent({ dashboard = '', search = '' }: ListedObject['arguments']): string {
  return dashboard === '' ? T.searchOf(search) : T.dashboardOf(dashboard)
}
