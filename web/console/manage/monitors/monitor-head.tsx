import { BASE } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Menu } from '../../../shared/parts/menu.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import type { ExtraProps } from '../objects/object-extras.ts'
import { Moment, printMoment } from '../parts/moment.tsx'
import { namesOf } from '../parts/words.ts'
import { MonitorState } from './monitor-state.tsx'
import { MONITOR_TEXTS } from './texts.ts'
import './monitors.css'

const T = MONITOR_TEXTS

/** How it is doing, and what can be done with it now. */
export function MonitorHead({ object }: ExtraProps) {
  const { name } = object
  const asked = useAsked(`monitor ${name}`, (signal) => runCommand('monitors', { name }, signal))
  const act = useAct(asked.again)
  const change = (given: Readonly<Record<string, string>>, said = '') =>
    act.run(async () => {
      await runCommand('monitors', { name, ...given })
      if (said !== '') toast(said)
    })
  const query = new URLSearchParams({ query: object.arguments.query ?? '' })
  return (
    <AskedPart asked={asked}>
      {({ monitors: [monitor] }) =>
        monitor === undefined ? null : (
          <div class="monitor-head">
            <dl class="strip">
              <div>
                <dt>{T.state}</dt>
                <dd>
                  <MonitorState monitor={monitor} />
                </dd>
              </div>
              <div>
                <dt>{T.openAlerts}</dt>
                <dd class="tabular">{monitor.openAlerts}</dd>
              </div>
              <div>
                <dt>{T.lastRun}</dt>
                <dd>
                  <Moment iso={monitor.status === 'new' ? null : monitor.statusAt} />
                </dd>
              </div>
              <div>
                <dt>{T.nextRun}</dt>
                <dd>
                  <Moment iso={monitor.nextRun} none={T.noNext} />
                </dd>
              </div>
              <div>
                <dt>{T.owner}</dt>
                <dd>{monitor.owner}</dd>
              </div>
            </dl>
            {monitor.reason !== '' && <p class="health-bad">{monitor.reason}</p>}
            {monitor.mutedUntil !== null && (
              <p class="grade-warn">{T.muted(printMoment(monitor.mutedUntil))}</p>
            )}
            {act.error !== undefined && (
              <p class="field-error" role="alert">
                {act.error}
              </p>
            )}
            <div class="row wrap">
              <Button disabled={act.isBusy} onClick={() => change({ runNow: 'true' }, T.asked)}>
                {T.runNow}
              </Button>
              {monitor.mutedUntil === null ? (
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
              <a class="button button-bordered" href={`${BASE}/?${query}`}>
                {T.search}
              </a>
            </div>
          </div>
        )
      }
    </AskedPart>
  )
}
