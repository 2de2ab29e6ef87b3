import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import type { ExtraColumn } from '../objects/object-extras.ts'
import { toldColumns } from '../objects/told-columns.ts'
import { Age } from '../parts/moment.tsx'
import { Pill, type Tone } from '../parts/pill.tsx'
import { MONITOR_TEXTS } from './texts.ts'

const T = MONITOR_TEXTS
const TONES: Readonly<Record<string, Tone>> = { passed: 'good', failed: 'error', error: 'warning' }
const WORDS: Readonly<Record<string, string>> = T.states

export type MonitorTold = SdkAnswer<'monitors'>['monitors'][number]

export function MonitorState({ monitor }: { readonly monitor: MonitorTold }) {
  const { enabled, status } = monitor
  if (!enabled) return <Pill tone="faint">{T.disabled}</Pill>
  return <StatusPill status={status} />
}

/** Of a monitor, or of one of its runs. */
export function StatusPill({ status }: { readonly status: string }) {
  return <Pill tone={TONES[status] ?? 'faint'}>{WORDS[status] ?? status}</Pill>
}

/** How each one is doing, beside its settings. */
export function useMonitorColumns(): readonly ExtraColumn[] {
  const { answer } = useAsked('monitors', (signal) => runCommand('monitors', {}, signal))
  const column = toldColumns(answer?.monitors)
  return [
    column(
      T.state,
      ({ enabled, status }) => (enabled ? status : null),
      (monitor) => <MonitorState monitor={monitor} />,
    ),
    column(
      T.openAlerts,
      ({ openAlerts }) => openAlerts,
      ({ openAlerts }) =>
        openAlerts === 0 ? <span class="soft">0</span> : <b class="tabular">{openAlerts}</b>,
    ),
    column(T.lastRun, lastRunOf, (monitor) => <Age iso={lastRunOf(monitor)} />),
    column(
      T.nextRun,
      ({ nextRun }) => nextRun,
      ({ nextRun }) => <Age iso={nextRun} none={T.noNext} />,
    ),
  ]
}

function lastRunOf({ status, statusAt }: MonitorTold): string | null {
  return status === 'new' ? null : statusAt
}
