import { SEVERITIES } from '../../../../schemas/monitors/monitor.ts'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { session } from '../../../shared/api/session.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Menu } from '../../../shared/parts/menu.tsx'
import { type Ranks, sortBy, sortRows } from '../../../shared/sort/sort.ts'
import { SortHead } from '../../../shared/sort/sort-head.tsx'
import { useSort } from '../../../shared/sort/use-sort.ts'
import { useAct } from '../../../shared/use-act.ts'
import { withParameters } from '../../../shared/with-parameters.ts'
import { Age, Moment, printMoment } from '../parts/moment.tsx'
import { Pill } from '../parts/pill.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { namesOf } from '../parts/words.ts'
import { sectionPath } from '../section-path.ts'
import { mayDo } from '../section-rights.ts'
import { MANAGE } from '../texts.ts'
import { ALERT_TEXTS } from './texts.ts'
import './monitors.css'

const T = ALERT_TEXTS
const SEVERITY_TEXTS: Readonly<Record<string, string>> = T.severities

/** From the least. */
const SEVERITY_NAMES: readonly string[] = SEVERITIES

export type Alert = SdkAnswer<'alerts'>['alerts'][number]
type AlertsProps = { readonly alerts: readonly Alert[]; readonly onDone: () => void }

const severityOf = ({ severity }: Alert) => SEVERITY_NAMES.indexOf(severity)
const RANKS: Ranks<Alert> = {
  opened: ({ opened }) => opened,
  severity: severityOf,
  monitor: ({ monitor }) => monitor,
  group: ({ group }) => group || null,
  rows: ({ count }) => count,
  state: ({ state, acknowledgedBy }) => `${state} ${acknowledgedBy ?? ''}`,
}

/** Where no head was clicked: newest first, of one moment the most severe first. */
function usual(alerts: readonly Alert[]): readonly Alert[] {
  return sortRows(sortRows(alerts, severityOf, true), ({ opened }) => opened, true)
}

export function AlertTable({ alerts, onDone }: AlertsProps) {
  const { sort, onSort } = useSort()
  const head = (column: string, text: string, isDownFirst = false) => (
    <SortHead {...{ column, text, isDownFirst, sort, onSort }} />
  )
  return (
    <TableBox label={MANAGE.pages.alerts} look="cards">
      <thead>
        <tr>
          {head('opened', T.opened)}
          {head('severity', T.severity, true)}
          {head('monitor', T.monitor)}
          {head('group', T.group)}
          <SortHead class="number" column="rows" text={T.rows} isDownFirst {...{ sort, onSort }} />
          {head('state', T.state)}
          <th />
        </tr>
      </thead>
      <tbody>
        {sortBy(usual(alerts), RANKS, sort).map((alert) => (
          <tr key={alert.id}>
            <td>
              <Age iso={alert.opened} />
            </td>
            <td>
              <Severity name={alert.severity} />
            </td>
            <td class="objects-name">
              <a href={alertPath(alert.id)}>{alert.monitor}</a>
            </td>
            <td class="objects-wide">
              {alert.group === '' ? (
                <span class="soft">{alert.isHidden ? T.hidden : T.noGroup}</span>
              ) : (
                alert.group
              )}
            </td>
            <td class="number" data-unit={T.rows.toLowerCase()}>
              {alert.count ?? '–'}
            </td>
            <td>
              <AlertState alert={alert} />
            </td>
            <td class="objects-acts alert-acts">
              <AlertActs alert={alert} onDone={onDone} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  )
}

export function alertPath(id: number): string {
  return withParameters(sectionPath('alerts'), { item: String(id) })
}

export function Severity({ name }: { readonly name: string }) {
  return <span class={`severity severity-${name}`}>{SEVERITY_TEXTS[name] ?? name}</span>
}

export function AlertState({ alert }: { readonly alert: Alert }) {
  const { state, acknowledgedBy, mutedUntil, closed } = alert
  if (state !== 'open')
    return (
      <>
        <Pill tone="faint">{T.closed}</Pill> <Moment iso={closed} />
      </>
    )
  return (
    <>
      <Pill tone={acknowledgedBy === null ? 'error' : 'warning'}>
        {acknowledgedBy === null ? T.open : T.acknowledgedBy(acknowledgedBy)}
      </Pill>
      {mutedUntil !== null && (
        <span class="objects-below"> {T.muted(printMoment(mutedUntil))}</span>
      )}
    </>
  )
}

type ActsProps = { readonly alert: Alert; readonly onDone: () => void }

/** What can be done with an open one. */
export function AlertActs({ alert, onDone }: ActsProps) {
  const act = useAct(onDone)
  if (alert.state !== 'open' || !mayDo('data.monitors', session.value)) return null
  const change = (given: Readonly<Record<string, string>>) =>
    act.run(async () => {
      await runCommand('alerts', { id: String(alert.id), ...given })
    })
  const isSeen = alert.acknowledgedBy !== null
  return (
    <>
      {act.error !== undefined && (
        <span class="field-error" role="alert">
          {act.error}
        </span>
      )}
      <Button disabled={act.isBusy} onClick={() => change({ acknowledge: String(!isSeen) })}>
        {isSeen ? T.release : T.acknowledge}
      </Button>
      {alert.mutedUntil === null ? (
        <Menu
          look="bordered"
          label={`${T.mute} ▾`}
          items={namesOf(T.muteFor).map((time) => ({
            name: T.muteFor[time],
            onChoose: () => change({ muteUntil: time }),
          }))}
        />
      ) : (
        <Button disabled={act.isBusy} onClick={() => change({ muteUntil: '' })}>
          {T.unmute}
        </Button>
      )}
    </>
  )
}
