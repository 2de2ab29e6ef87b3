import type { ComponentChildren } from 'preact'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import type { ExtraColumn } from '../objects/object-extras.ts'
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
  const told = new Map(answer?.monitors.map((one) => [one.name, one]))
  const column = (
    name: string,
    print: (monitor: MonitorTold) => ComponentChildren,
  ): ExtraColumn => ({
    name,
    of: (monitor) => {
      const found = told.get(monitor)
      return found === undefined ? null : print(found)
    },
  })
  return [
    column(T.state, (monitor) => <MonitorState monitor={monitor} />),
    column(T.openAlerts, ({ openAlerts }) =>
      openAlerts === 0 ? <span class="soft">0</span> : <b class="tabular">{openAlerts}</b>,
    ),
    column(T.lastRun, ({ status, statusAt }) => <Age iso={status === 'new' ? null : statusAt} />),
    column(T.nextRun, ({ nextRun }) => <Age iso={nextRun} none={T.noNext} />),
  ]
}
