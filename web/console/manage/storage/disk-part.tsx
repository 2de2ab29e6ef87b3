import { useState } from 'preact/hooks'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { BarChart } from '../../../shared/charts/bar-chart.tsx'
import { printCount, printPercent } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { type Ranks, sortBy } from '../../../shared/sort/sort.ts'
import { SortHead } from '../../../shared/sort/sort-head.tsx'
import { useSort } from '../../../shared/sort/use-sort.ts'
import { Moment } from '../parts/moment.tsx'
import { Pill } from '../parts/pill.tsx'
import { printBytes } from '../parts/print.ts'
import { SectionLink } from '../parts/section-link.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { dayBars } from './day-bars.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { ShareBar } from './share-bar.tsx'
import { STORAGE_TEXTS } from './texts.ts'

const T = STORAGE_TEXTS
const TOP = 60
/** In place of a policy: days that came back for a time. */
const THAWED = '(thawed)'

type Usage = SdkAnswer<'diskUsage'>

const RANKS: Ranks<Usage['logs'][number]> = {
  log: ({ log }) => log || null,
  policy: ({ policy }) => policy,
  events: ({ events }) => events,
  bytes: ({ bytes }) => bytes,
}

/** What takes the disk: by day, policy and log. */
export function DiskPart() {
  const asked = useAsked('diskUsage', (signal) =>
    runCommand('diskUsage', { top: String(TOP) }, signal),
  )
  return (
    <AskedPart asked={asked}>
      {(usage) => {
        const bytes = usage.policies.reduce((sum, one) => sum + one.bytes, 0)
        const compact = usage.policies.reduce((sum, one) => sum + one.compactBytes, 0)
        const events = usage.policies.reduce((sum, one) => sum + one.events, 0)
        if (events === 0 && usage.removed.length === 0) return <p class="objects-none">{T.none}</p>
        const { series, bars } = dayBars(usage.days)
        const names = series.map((name) => (name === THAWED ? T.thawedDays : name))
        return (
          <>
            <dl class="strip">
              <div>
                <dt>{T.all}</dt>
                <dd class="strip-sum">{printBytes(bytes)}</dd>
              </div>
              <div>
                <dt>{T.events}</dt>
                <dd class="strip-sum">{printCount(events)}</dd>
              </div>
              <div>
                <dt>{T.oldest}</dt>
                <dd class="strip-sum">{oldestOf(usage)}</dd>
              </div>
              <div>
                <dt>{T.compact}</dt>
                <dd class="strip-sum">{printPercent(compact / Math.max(1, bytes))}</dd>
                <dd class="soft">{T.compactHint}</dd>
              </div>
            </dl>
            <section class="part">
              <h2>{T.days}</h2>
              <BarChart
                label={T.daysChart}
                {...{ series: names, bars }}
                print={printBytes}
                isBinary
              />
              {usage.days.length >= TOP && <p class="soft">{T.shownDays(bars.length)}</p>}
            </section>
            <Policies {...{ usage, bytes, series }} />
            <Logs usage={usage} bytes={bytes} onDeleted={asked.again} />
            <Removed usage={usage} />
          </>
        )
      }}
    </AskedPart>
  )
}

function oldestOf({ policies }: Usage): string {
  const days = policies.flatMap(({ oldestDay }) => (oldestDay === null ? [] : [oldestDay]))
  return days.toSorted()[0] ?? '–'
}

type PoliciesProps = {
  readonly usage: Usage
  readonly bytes: number
  /** Of the chart above. */
  readonly series: readonly string[]
}

function Policies({ usage, bytes: all, series }: PoliciesProps) {
  return (
    <section class="part">
      <h2>{T.policies}</h2>
      <TableBox label={T.policies}>
        <thead>
          <tr>
            <th>{T.policy}</th>
            <th class="number">{T.events}</th>
            <th class="number">{T.bytes}</th>
            <th>{T.share}</th>
            <th>{T.keepsDays}</th>
            <th>{T.mostBytes}</th>
            <th>{T.oldest}</th>
          </tr>
        </thead>
        <tbody>
          {usage.policies.map((one) => {
            const { policy, isRemoved, events, bytes, storageDays, storageMaxBytes } = one
            const filled = storageMaxBytes === null ? 0 : bytes / Math.max(1, storageMaxBytes)
            return (
              <tr key={policy}>
                <td class="objects-name">
                  {isRemoved ? (
                    <>
                      {policy} <span class="objects-origin">{T.isRemoved}</span>
                    </>
                  ) : (
                    <SectionLink id="collection" parameters={{ item: policy }}>
                      {policy}
                    </SectionLink>
                  )}
                </td>
                <td class="number">{printCount(events)}</td>
                <td class="number">{printBytes(bytes)}</td>
                <td>
                  <ShareBar share={all === 0 ? 0 : bytes / all} series={series.indexOf(policy)} />
                </td>
                <td>{storageDays === null ? T.forEver : T.forDays(storageDays)}</td>
                <td>
                  {storageMaxBytes === null ? (
                    <span class="soft">{T.noLimit}</span>
                  ) : (
                    <>
                      {printBytes(storageMaxBytes)}{' '}
                      <span class={filled > 0.9 ? 'grade-warn' : 'soft'}>
                        {T.filled(printPercent(filled))}
                      </span>
                    </>
                  )}
                </td>
                <td class="tabular">{one.oldestDay ?? ''}</td>
              </tr>
            )
          })}
        </tbody>
      </TableBox>
    </section>
  )
}

type LogsProps = {
  readonly usage: Usage
  readonly bytes: number
  readonly onDeleted: () => void
}

function Logs({ usage, bytes: all, onDeleted }: LogsProps) {
  const [deleted, setDeleted] = useState<string>()
  const order = useSort()
  const { logs } = usage
  return (
    <section class="part">
      <h2>{T.logs}</h2>
      <TableBox label={T.logs}>
        <thead>
          <tr>
            <SortHead column="log" text={T.log} {...order} />
            <SortHead column="policy" text={T.policy} {...order} />
            <SortHead class="number" column="events" text={T.events} isDownFirst {...order} />
            <SortHead class="number" column="bytes" text={T.bytes} isDownFirst {...order} />
            <th>{T.share}</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {sortBy(logs, RANKS, order.sort).map(({ log, policy, events, bytes }, index) => (
            <tr key={`${log} ${policy} ${index}`}>
              <td class="objects-name">
                {log === '' ? <span class="soft">{T.hiddenLog}</span> : log}
              </td>
              <td>{policy}</td>
              <td class="number">{printCount(events)}</td>
              <td class="number">{printBytes(bytes)}</td>
              <td>
                <ShareBar share={all === 0 ? 0 : bytes / all} />
              </td>
              <td class="objects-acts">
                {log !== '' && !log.startsWith('System->') && (
                  <Button aria-label={T.deleteOf(log)} onClick={() => setDeleted(log)}>
                    {T.deleteIts}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </TableBox>
      {logs.length >= TOP && <p class="soft">{T.shownLogs(TOP)}</p>}
      {deleted !== undefined && (
        <DeleteDialog log={deleted} onDone={onDeleted} onClose={() => setDeleted(undefined)} />
      )}
    </section>
  )
}

function Removed({ usage: { removed } }: { readonly usage: Usage }) {
  return (
    <section class="part">
      <h2>{T.removed}</h2>
      {removed.length === 0 ? (
        <p class="soft">{T.noRemoved}</p>
      ) : (
        <TableBox label={T.removed}>
          <thead>
            <tr>
              <th>{T.day}</th>
              <th>{T.policy}</th>
              <th>{T.cause}</th>
              <th class="number">{T.events}</th>
              <th>{T.state}</th>
              <th>{T.at}</th>
            </tr>
          </thead>
          <tbody>
            {removed.map(({ day, policy, cause, events, isDone, at }) => (
              <tr key={`${day} ${policy} ${at}`}>
                <td class="tabular">{day}</td>
                <td>{policy}</td>
                <td>{T.causes[cause]}</td>
                <td class="number">{printCount(events)}</td>
                <td>
                  <Pill tone={isDone ? 'faint' : 'info'}>{isDone ? T.isDone : T.goes}</Pill>
                </td>
                <td>
                  <Moment iso={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </section>
  )
}
