import { useState } from 'preact/hooks'
import type { SdkAnswer } from '../../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../../shared/api/sdk.ts'
import { BarChart } from '../../../../shared/charts/bar-chart.tsx'
import { printCount } from '../../../../shared/format.ts'
import { Button } from '../../../../shared/parts/button.tsx'
import { useAct } from '../../../../shared/use-act.ts'
import type { ExtraProps } from '../../objects/object-extras.ts'
import { Moment, printMoment } from '../../parts/moment.tsx'
import { TableBox } from '../../parts/table-box.tsx'
import { ALERT_TEXTS, MONITOR_TEXTS } from '../texts.ts'
import { firedBars } from './fired-bars.ts'

const T = MONITOR_TEXTS.trial
const SHOWN = 50

/** When it would have fired in the last week. */
export function MonitorTrial({ object: { name } }: ExtraProps) {
  const [told, setTold] = useState<SdkAnswer<'testMonitor'>>()
  const act = useAct(() => undefined)
  return (
    <section class="part">
      <p class="soft">
        {T.intro} {T.saveFirst}
      </p>
      <div class="row wrap">
        <Button
          look="main"
          disabled={act.isBusy}
          onClick={() => act.run(async () => setTold(await runCommand('testMonitor', { name })))}
        >
          {told === undefined ? T.start : T.again}
        </Button>
        {act.isBusy && (
          <span class="soft" role="status">
            {T.busy}
          </span>
        )}
      </div>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      {told !== undefined && <Fired told={told} />}
    </section>
  )
}

function Fired({ told }: { readonly told: SdkAnswer<'testMonitor'> }) {
  const { fired, runs, from, isComplete } = told
  return (
    <>
      <p>
        <span class="trial-summary">{T.summary(fired.length)}</span>{' '}
        <span class="soft">{T.runs(runs, printMoment(from))}</span>
      </p>
      {!isComplete && <p class="grade-warn">{T.cut(runs)}</p>}
      {fired.length === 0 ? (
        <p class="soft">{T.never}</p>
      ) : (
        <>
          <BarChart
            label={T.chart}
            series={[T.series]}
            bars={firedBars(from, fired)}
            print={printCount}
            isCount
          />
          <TableBox label={T.series}>
            <thead>
              <tr>
                <th>{T.at}</th>
                <th>{T.group}</th>
                <th class="number">{T.rows}</th>
              </tr>
            </thead>
            <tbody>
              {fired.slice(0, SHOWN).map(({ at, group, count }) => (
                <tr key={`${at} ${group}`}>
                  <td>
                    <Moment iso={at} />
                  </td>
                  <td>{group === '' ? ALERT_TEXTS.noGroup : group}</td>
                  <td class="number">{count}</td>
                </tr>
              ))}
            </tbody>
          </TableBox>
          {fired.length > SHOWN && <p class="soft">{T.more(fired.length - SHOWN)}</p>}
        </>
      )}
    </>
  )
}
