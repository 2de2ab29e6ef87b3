import { SEVERITIES } from '../../../../schemas/monitors/monitor.ts'
import { address, changeParameters } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { withParameters } from '../../../shared/with-parameters.ts'
import { Section } from '../parts/section.tsx'
import { SectionLink } from '../parts/section-link.tsx'
import { MANAGE } from '../texts.ts'
import { AlertPage } from './alert-page.tsx'
import { AlertTable } from './alert-table.tsx'
import { ALERT_TEXTS } from './texts.ts'

const T = ALERT_TEXTS
const STATES = ['open', 'closed', 'all'] as const
const MOST = '1000'

/** Newest first. The address says which: `state`, `severity`, `find`; `item` is the number of
 *  one. */
export function AlertsSection() {
  const item = address.value.parameters.get('item')
  return item === null ? <AlertList /> : <AlertPage key={item} id={item} />
}

function AlertList() {
  const { parameters, path } = address.value
  const state = STATES.find((one) => one === parameters.get('state')) ?? 'open'
  const severity = SEVERITIES.find((one) => one === parameters.get('severity')) ?? ''
  const find = (parameters.get('find') ?? '').trim().toLowerCase()
  const asked = useAsked(`alerts ${state}`, (signal) =>
    runCommand('alerts', { state, limit: MOST }, signal),
  )
  return (
    <Section
      title={MANAGE.pages.alerts}
      intro={T.intro}
      acts={
        <>
          <input
            class="input objects-find"
            type="search"
            placeholder={T.find}
            aria-label={T.find}
            value={parameters.get('find') ?? ''}
            onInput={(event) =>
              changeParameters({ find: event.currentTarget.value }, { isNew: false })
            }
          />
          <select
            class="input objects-interval"
            aria-label={T.severity}
            value={severity}
            onChange={(event) => changeParameters({ severity: event.currentTarget.value })}
          >
            <option value="">{T.anySeverity}</option>
            {SEVERITIES.map((one) => (
              <option key={one} value={one}>
                {T.severities[one]}
              </option>
            ))}
          </select>
          <select
            class="input objects-interval"
            aria-label={T.state}
            value={state}
            onChange={(event) => changeParameters({ state: event.currentTarget.value })}
          >
            {STATES.map((one) => (
              <option key={one} value={one}>
                {T.states[one]}
              </option>
            ))}
          </select>
        </>
      }
    >
      <AskedPart asked={asked}>
        {({ alerts }) => {
          const shown = alerts.filter(
            (alert) =>
              (severity === '' || alert.severity === severity) &&
              `${alert.monitor} ${alert.group} ${alert.query}`.toLowerCase().includes(find),
          )
          if (alerts.length === 0)
            return (
              <p class="objects-none">
                {state === 'open' ? (
                  <>
                    {T.noneOpen} <SectionLink id="monitors">{T.toMonitors}</SectionLink>.
                  </>
                ) : (
                  T.none
                )}
              </p>
            )
          if (shown.length === 0)
            return (
              <p class="objects-none">
                {T.noneFound} <a href={withParameters(path, { state })}>{T.showAll}</a>
              </p>
            )
          return <AlertTable alerts={shown} onDone={asked.again} />
        }}
      </AskedPart>
    </Section>
  )
}
