import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { address, BASE, go } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { withParameters } from '../../../shared/with-parameters.ts'
import { Section } from '../parts/section.tsx'
import { MANAGE } from '../texts.ts'

const T = MANAGE.alerts
const STATES = ['open', 'closed', 'all'] as const

type Alert = SdkAnswer<'alerts'>['alerts'][number]

/** Newest first; `state` in the address says which. */
export function AlertsSection() {
  const { parameters, path } = address.value
  const state = STATES.find((one) => one === parameters.get('state')) ?? 'open'
  const asked = useAsked(`alerts ${state}`, (signal) => runCommand('alerts', { state }, signal))
  return (
    <Section
      title={MANAGE.pages.alerts}
      intro={T.intro}
      acts={
        <select
          class="input"
          aria-label={T.state}
          value={state}
          onChange={(event) => go(withParameters(path, { state: event.currentTarget.value }))}
        >
          {STATES.map((one) => (
            <option key={one} value={one}>
              {T.states[one]}
            </option>
          ))}
        </select>
      }
    >
      <AskedPart asked={asked}>
        {({ alerts }) =>
          alerts.length === 0 ? (
            <p class="objects-none">{T.none}</p>
          ) : (
            <table class="objects-table">
              <thead>
                <tr>
                  <th>{T.opened}</th>
                  <th>{T.severity}</th>
                  <th>{T.monitor}</th>
                  <th>{T.group}</th>
                  <th class="number">{T.rows}</th>
                  <th>{T.state}</th>
                  <th />
                </tr>
              </thead>
              <tbody>
                {alerts.map((alert) => (
                  <Row key={alert.id} alert={alert} onDone={asked.again} />
                ))}
              </tbody>
            </table>
          )
        }
      </AskedPart>
    </Section>
  )
}

function Row({ alert, onDone }: { readonly alert: Alert; readonly onDone: () => void }) {
  const act = useAct(() => undefined)
  const change = (given: Readonly<Record<string, string>>) =>
    act.run(async () => {
      await runCommand('alerts', { id: String(alert.id), ...given })
      onDone()
    })
  const isOpen = alert.state === 'open'
  const isAcknowledged = alert.acknowledgedBy !== null
  return (
    <tr>
      <td class="tabular">{print(alert.opened)}</td>
      <td>{alert.severity}</td>
      <td class="objects-name">{alert.monitor}</td>
      <td class="objects-wide">{alert.group}</td>
      <td class="number">{alert.count}</td>
      <td>{describe(alert)}</td>
      <td class="objects-acts">
        <a href={searchOf(alert)}>{T.look}</a>
        {isOpen && (
          <>
            <Button
              disabled={act.isBusy}
              onClick={() => change({ acknowledge: String(!isAcknowledged) })}
            >
              {isAcknowledged ? T.release : T.acknowledge}
            </Button>
            <Button
              disabled={act.isBusy}
              onClick={() => change({ muteUntil: alert.mutedUntil === null ? T.muteFor : '' })}
            >
              {alert.mutedUntil === null ? T.mute : T.unmute}
            </Button>
          </>
        )}
      </td>
    </tr>
  )
}

function describe({ state, acknowledgedBy, mutedUntil, closed }: Alert): string {
  if (state !== 'open') return T.closedAt(closed === null ? '' : print(closed))
  const parts = [
    ...(acknowledgedBy === null ? [] : [T.acknowledgedBy(acknowledgedBy)]),
    ...(mutedUntil === null ? [] : [T.mutedUntil(print(mutedUntil))]),
  ]
  return parts.length === 0 ? T.states.open : parts.join(', ')
}

function searchOf({ query, window: { startMs, endMs } }: Alert): string {
  const moment = (ms: number) => new Date(ms).toISOString()
  const parameters = new URLSearchParams({ query })
  if (startMs === null || endMs === null) parameters.set('interval', 'allData')
  else {
    parameters.set('start', moment(startMs))
    parameters.set('end', moment(endMs))
  }
  return `${BASE}/?${parameters}`
}

function print(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
}
