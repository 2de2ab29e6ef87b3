import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import type { ExtraProps } from '../objects/object-extras.ts'
import { Moment } from '../parts/moment.tsx'
import { ReportState } from './report-state.tsx'
import { REPORT_TEXTS } from './texts.ts'
import '../monitors/monitors.css'

const T = REPORT_TEXTS

/** What became of the last one, and sending it now. */
export function ReportHead({ object: { name } }: ExtraProps) {
  const asked = useAsked(`report ${name}`, (signal) => runCommand('reports', { name }, signal))
  const act = useAct(asked.again)
  const sendNow = () =>
    act.run(async () => {
      await runCommand('reports', { name, runNow: 'true' })
      toast(T.asked)
    })
  return (
    <AskedPart asked={asked}>
      {({ reports: [report] }) =>
        report === undefined ? null : (
          <div class="monitor-head">
            <dl class="strip">
              <div>
                <dt>{T.state}</dt>
                <dd>
                  <ReportState status={report.status} />
                </dd>
              </div>
              <div>
                <dt>{T.lastRun}</dt>
                <dd>
                  <Moment iso={report.lastRun} />
                </dd>
              </div>
              <div>
                <dt>{T.nextRun}</dt>
                <dd>
                  {report.enabled ? <Moment iso={report.nextRun} none={T.noNext} /> : T.disabled}
                </dd>
              </div>
              <div>
                <dt>{T.owner}</dt>
                <dd>{report.owner}</dd>
              </div>
            </dl>
            {report.reason !== '' && <p class="health-bad">{report.reason}</p>}
            {act.error !== undefined && (
              <p class="field-error" role="alert">
                {act.error}
              </p>
            )}
            <div class="row wrap">
              <Button disabled={act.isBusy} onClick={sendNow}>
                {T.sendNow}
              </Button>
            </div>
          </div>
        )
      }
    </AskedPart>
  )
}
