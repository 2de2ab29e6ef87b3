import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { printCount } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { useFollowing } from '../../../shared/use-following.ts'
import type { ExtraColumn, ExtraProps } from '../objects/object-extras.ts'
import { Moment } from '../parts/moment.tsx'
import { Pill, type Tone } from '../parts/pill.tsx'
import { printBytes, printLength } from '../parts/print.ts'
import { TableBox } from '../parts/table-box.tsx'
import { TASK_TEXTS } from './texts.ts'

const T = TASK_TEXTS
const TONES: Readonly<Record<Run['state'], Tone>> = {
  ...{ asked: 'info', running: 'info', done: 'good', failed: 'error' },
}

type Run = SdkAnswer<'listTaskRuns'>['runs'][number]

/** How the last run of each went. */
export function useRunColumns(): readonly ExtraColumn[] {
  const { answer } = useAsked('runs', (signal) => runCommand('listTaskRuns', {}, signal))
  const lastOf = (name: string) => answer?.runs.find(({ task }) => task === name)
  return [
    {
      name: T.lastRun,
      rankOf: (name) => timeOf(lastOf(name)),
      of: (name) => {
        const last = lastOf(name)
        if (answer === undefined) return null
        if (last === undefined) return <span class="soft">{T.never}</span>
        return (
          <>
            <RunState run={last} /> <Moment iso={timeOf(last)} />
          </>
        )
      },
    },
  ]
}

function timeOf(run: Run | undefined): string | null {
  return run === undefined ? null : (run.ended ?? run.begun ?? run.asked)
}

function RunState({ run: { state } }: { readonly run: Run }) {
  return <Pill tone={TONES[state]}>{T.states[state]}</Pill>
}

/** The last runs, newest first; what goes on is asked for again. */
export function TaskRuns({ object: { name } }: ExtraProps) {
  const asked = useAsked(`runs ${name}`, (signal) => runCommand('listTaskRuns', { name }, signal))
  const isGoing = asked.answer?.runs.some(isUnfinished) === true
  useFollowing(asked, isGoing)
  const act = useAct(asked.again)
  return (
    <section class="part">
      <div class="row wrap">
        <Button
          look="main"
          disabled={act.isBusy || isGoing}
          onClick={() =>
            act.run(async () => {
              const { state, events, newLogs, reason } = await runCommand('executeTask', { name })
              if (state === 'done') toast(T.done(printCount(events), newLogs))
              if (state === 'failed') toast(T.failed(reason))
            })
          }
        >
          {T.runNow}
        </Button>
        {(act.isBusy || isGoing) && (
          <span class="soft" role="status">
            {T.running}
          </span>
        )}
      </div>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      <AskedPart asked={asked}>
        {({ runs }) => (runs.length === 0 ? <p class="soft">{T.none}</p> : <Runs runs={runs} />)}
      </AskedPart>
    </section>
  )
}

function isUnfinished({ state }: Run): boolean {
  return state === 'asked' || state === 'running'
}

function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <TableBox label={T.tab}>
      <thead>
        <tr>
          <th>{T.asked}</th>
          <th>{T.state}</th>
          <th>{T.cause}</th>
          <th class="number">{T.took}</th>
          <th class="number">{T.files}</th>
          <th class="number">{T.newLogs}</th>
          <th class="number">{T.events}</th>
          <th class="number">{T.bytes}</th>
          <th class="number">{T.rate}</th>
          <th class="number">{T.behind}</th>
          <th>{T.reason}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.run}>
            <td>
              <Moment iso={run.asked} />
            </td>
            <td>
              <RunState run={run} />
            </td>
            <td class="soft">{T.causes[run.cause]}</td>
            <td class="number">{lengthOf(run)}</td>
            <td class="number">{printCount(run.files)}</td>
            <td class="number">{printCount(run.newLogs)}</td>
            <td class="number">{printCount(run.events)}</td>
            <td class="number">{printBytes(run.bytes)}</td>
            <td class="number">{T.perSecond(printBytes(run.bytesPerSecond))}</td>
            <td class="number">{run.behindBytes === 0 ? '' : printBytes(run.behindBytes)}</td>
            <td class="objects-wide">{run.reason}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  )
}

function lengthOf({ begun, ended }: Run): string {
  if (begun === null || ended === null) return ''
  return printLength(Date.parse(ended) - Date.parse(begun))
}
