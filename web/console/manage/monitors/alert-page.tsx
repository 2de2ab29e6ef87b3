import type { ComponentChildren } from 'preact'
import { parseRule } from '../../../../schemas/monitors/rule.ts'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { BASE } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Moment } from '../parts/moment.tsx'
import { Pill, type Tone } from '../parts/pill.tsx'
import { SectionLink } from '../parts/section-link.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { sectionPath } from '../section-path.ts'
import { MANAGE } from '../texts.ts'
import { AlertRows } from './alert-rows.tsx'
import { type Alert, AlertActs, AlertState, Severity } from './alert-table.tsx'
import { RULE_TEXTS } from './rule-texts.ts'
import { sayRule } from './say-rule.ts'
import { ALERT_TEXTS } from './texts.ts'

const T = ALERT_TEXTS
const DELIVERY_TONES: Readonly<Record<string, Tone>> = {
  ...{ gathered: 'faint', pending: 'info', delivered: 'good', failed: 'error' },
}
const DELIVERIES: Readonly<Record<string, string>> = T.deliveries
const EVENTS: Readonly<Record<string, string>> = T.events

/** One alert: what made it, and who was told. */
export function AlertPage({ id }: { readonly id: string }) {
  const asked = useAsked(`alert ${id}`, (signal) => runCommand('alerts', { id }, signal))
  return (
    <div class="object">
      <nav class="object-way">
        <a href={sectionPath('alerts')}>‹ {MANAGE.pages.alerts}</a>
      </nav>
      <AskedPart asked={asked}>
        {({ alerts: [alert], columns, rows, times, messages }) =>
          alert === undefined ? (
            <p>{T.gone}</p>
          ) : (
            <>
              <div class="object-head">
                <h1>{T.title(alert.monitor, alert.group)}</h1>
                <div class="object-changes">
                  <a class="button button-bordered" href={searchOf(alert)}>
                    {T.look}
                  </a>
                  <AlertActs alert={alert} onDone={asked.again} />
                </div>
              </div>
              <Facts alert={alert} />
              <Part title={T.sample}>
                {rows.length === 0 ? (
                  <p class="soft">{alert.isHidden ? T.hiddenSample : T.noSample}</p>
                ) : (
                  <AlertRows columns={columns} rows={rows} times={times} />
                )}
              </Part>
              <Part title={T.told}>
                {messages.length === 0 ? (
                  <p class="soft">{T.noTold}</p>
                ) : (
                  <Messages messages={messages} />
                )}
              </Part>
            </>
          )
        }
      </AskedPart>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Facts({ alert }: { readonly alert: Alert }) {
  const rule = parseRule(alert.rule)
  return (
    <dl class="facts">
      <dt>{T.state}</dt>
      <dd>
        <AlertState alert={alert} />
      </dd>
      <dt>{T.severity}</dt>
      <dd>
        <Severity name={alert.severity} />
      </dd>
      <dt>{T.monitor}</dt>
      <dd>
        <SectionLink id="monitors" parameters={{ item: alert.monitor, tab: 'history' }}>
          {alert.monitor}
        </SectionLink>
      </dd>
      <dt>{T.query}</dt>
      <dd>
        <code>{alert.query}</code>
      </dd>
      {alert.rule !== '' && (
        <>
          <dt>{T.rule}</dt>
          <dd>
            <code>{alert.rule}</code>
            {rule !== undefined && <span class="soft"> {RULE_TEXTS.failed(sayRule(rule))}</span>}
          </dd>
        </>
      )}
      <dt>{T.opened}</dt>
      <dd>
        <Moment iso={alert.opened} />
      </dd>
      <dt>{T.lastFailed}</dt>
      <dd>
        <Moment iso={alert.lastFailed} />
      </dd>
      <dt>{T.rows}</dt>
      <dd class="tabular">{alert.count ?? T.hidden}</dd>
    </dl>
  )
}

function Messages({ messages }: Pick<SdkAnswer<'alerts'>, 'messages'>) {
  return (
    <TableBox label={T.told}>
      <thead>
        <tr>
          <th>{T.target}</th>
          <th>{T.event}</th>
          <th>{T.delivery}</th>
          <th>{T.attempts}</th>
        </tr>
      </thead>
      <tbody>
        {messages.map(({ event, target, state, attempts }) => (
          <tr key={`${event} ${target} ${attempts[0]?.at ?? ''}`}>
            <td class="objects-name">{target}</td>
            <td>{EVENTS[event] ?? event}</td>
            <td>
              <Pill tone={DELIVERY_TONES[state] ?? 'faint'}>{DELIVERIES[state] ?? state}</Pill>
            </td>
            <td class="objects-wide">
              {attempts.length === 0 ? (
                <span class="soft">{T.noAttempt}</span>
              ) : (
                <ol class="attempts">
                  {attempts.map(({ at, result, status }) => (
                    <li key={at}>
                      <Moment iso={at} /> {printResult(result)}
                      {status !== null && <span class="soft"> {T.status(status)}</span>}
                    </li>
                  ))}
                </ol>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  )
}

function printResult(result: string): string {
  return result === 'taken' ? T.taken : result === 'unknown' ? T.unknown : result
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
