import { useId, useState } from 'preact/hooks'
import { parseRule, type Rule } from '../../../../../schemas/monitors/rule.ts'
import type { SdkAnswer } from '../../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../../shared/api/sdk.ts'
import { BarChart } from '../../../../shared/charts/bar-chart.tsx'
import { printCount } from '../../../../shared/format.ts'
import { Button } from '../../../../shared/parts/button.tsx'
import { Select } from '../../../../shared/parts/select.tsx'
import { useAct } from '../../../../shared/use-act.ts'
import type { BesideProps } from '../../objects/object-extras.ts'
import { Moment, printMoment } from '../../parts/moment.tsx'
import { Pill } from '../../parts/pill.tsx'
import { refusedArgument } from '../../parts/refused-argument.ts'
import { TableBox } from '../../parts/table-box.tsx'
import { toWords } from '../../parts/words.ts'
import { AlertRows } from '../alert-rows.tsx'
import { RULE_TEXTS } from '../rule-texts.ts'
import { sayRule } from '../say-rule.ts'
import { findTriedFault, givenDefinition } from './given-definition.ts'
import { TRY_TEXTS } from './texts.ts'
import { triedBars } from './tried-bars.ts'
import './try-panel.css'

const T = TRY_TEXTS
const SHOWN = 20
const A_DAY = '1d'

type Told = { readonly asked: string; readonly rule: Rule; readonly answer: Tried }
type Tried = SdkAnswer<'testMonitor'>

/** What is in the form, run over the past. */
export function TryPanel({ form, object }: BesideProps) {
  const id = useId()
  const [past, setPast] = useState(A_DAY)
  const [told, setTold] = useState<Told>()
  const act = useAct(() => undefined)
  const rule = parseRule(form.read('rule').trim() || 'exists')
  const given = { ...givenDefinition(form.read, object?.name), past }
  const asked = JSON.stringify(given)
  const faulty = findTriedFault(form.faultOf)
  const missing =
    form.read('query').trim() === ''
      ? T.noQuery
      : faulty === undefined
        ? undefined
        : T.faulty(toWords(faulty))
  const start = async () => {
    if (rule === undefined) return
    setTold({ asked, rule, answer: await runCommand('testMonitor', given) })
  }
  return (
    <section class="part try" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{T.title}</h2>
      <p class="soft">{T.intro}</p>
      {rule !== undefined && <p>{RULE_TEXTS.fails(sayRule(rule))}</p>}
      <div class="try-ask">
        <Select label={T.past} name="past" value={past} options={T.pasts} onChoose={setPast} />
        <Button disabled={act.isBusy || missing !== undefined} onClick={() => act.run(start)}>
          {told === undefined ? T.start : T.again}
        </Button>
      </div>
      {missing !== undefined && <p class="soft">{missing}</p>}
      <p role="status" class={act.isBusy ? 'soft' : 'try-summary'}>
        {act.isBusy ? T.busy : told !== undefined && sayRuns(told.answer)}
      </p>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {withoutDash(act.error)}
        </p>
      )}
      {told !== undefined && !act.isBusy && (
        <>
          {told.asked !== asked && <p class="grade-warn">{T.stale}</p>}
          <TriedRuns {...told} />
        </>
      )}
    </section>
  )
}

function sayRuns({ tried, runs, fired }: Tried): string {
  if (runs === 0) return T.noRuns
  const failed = tried.filter(({ failing }) => failing > 0).length
  return `${T.summary(failed, runs)} ${T.opened(fired.length)}`
}

/** As the command line says it: `-query: …`. */
function withoutDash(error: string): string {
  const refused = refusedArgument(error)
  return refused === undefined ? error : `${toWords(refused.argument)}: ${refused.reason}`
}

const OF_ROWS: ReadonlySet<Rule['kind']> = new Set([
  'exists',
  'count',
  'column',
  'newShape',
  'newValue',
])

function TriedRuns({ rule, answer }: Told) {
  const { tried, runs, isComplete, sample } = answer
  const failed = tried.filter(({ failing }) => failing > 0)
  const [isOnly, setOnly] = useState(failed.length > 0)
  const listed = (isOnly ? failed : tried).toReversed()
  const isOfRows = OF_ROWS.has(rule.kind)
  if (runs === 0) return null
  return (
    <>
      {!isComplete && <p class="grade-warn">{T.cut(runs)}</p>}
      {tried.length > 1 && (
        <BarChart
          label={isOfRows ? T.rowsChart : T.runsChart}
          series={isOfRows ? T.rowSeries : T.runSeries}
          bars={triedBars(tried, isOfRows ? 'rows' : 'runs')}
          print={printCount}
          isCount
          {...(rule.kind === 'count' ? { limit: { value: rule.value, name: sayRule(rule) } } : {})}
        />
      )}
      <div class="try-runs">
        <h3>{T.runs}</h3>
        {failed.length > 0 && failed.length < tried.length && (
          <label class="flag">
            <input
              type="checkbox"
              checked={isOnly}
              onChange={(event) => setOnly(event.currentTarget.checked)}
            />
            {T.onlyFailing}
          </label>
        )}
      </div>
      <TableBox label={T.runs}>
        <thead>
          <tr>
            <th>{T.at}</th>
            <th>{T.state}</th>
            <th class="number">{T.rows}</th>
          </tr>
        </thead>
        <tbody>
          {listed.slice(0, SHOWN).map(({ at, count, failing }) => (
            <tr key={at}>
              <td>
                <Moment iso={at} />
              </td>
              <td>
                <Pill tone={failing > 0 ? 'error' : 'good'}>
                  {failing > 1 ? T.failingGroups(failing) : failing === 1 ? T.fails : T.passes}
                </Pill>
              </td>
              <td class="number">{printCount(count)}</td>
            </tr>
          ))}
        </tbody>
      </TableBox>
      {listed.length > SHOWN && <p class="soft">{T.more(listed.length - SHOWN)}</p>}
      {sample !== null && (
        <>
          <h3>{T.rowsOf(printMoment(sample.at))}</h3>
          <AlertRows {...sample} />
        </>
      )}
    </>
  )
}
