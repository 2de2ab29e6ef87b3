import { useMemo } from 'preact/hooks'
import type { DeploymentTold } from '../../../schemas/portal/deployments.ts'
import type { UsageRow } from '../../../schemas/portal/usage.ts'
import { address, changeParameters } from '../../shared/address.ts'
import { useAsked } from '../../shared/asked.ts'
import { BarChart } from '../../shared/charts/bar-chart.tsx'
import { nowMs } from '../../shared/clock.ts'
import { printCount } from '../../shared/format.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { saveFile } from '../../shared/save-file.ts'
import { useSort } from '../../shared/sort/use-sort.ts'
import { ask } from '../api/ask.ts'
import type { Rows } from '../api/types.ts'
import { parseLines, readUsageLines, type UsageAsked } from '../api/usage.ts'
import { Page } from '../parts/page.tsx'
import { printBytes, printShortDay } from '../parts/print.ts'
import { Table } from '../parts/table.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { BYS, type By, chartOf } from './chart-of.ts'
import { printCsv } from './print-csv.ts'
import './usage.css'

const T = WORKSPACE.usage
const DAY_MS = 86_400_000
/** Of each granularity: what one can look at, in days. */
const SPANS = { day: ['7', '30', '90', '365'], hour: ['1', '2', '7', '14'] } as const

export function UsagePage() {
  const { parameters } = address.value
  const granularity = parameters.get('by') === 'hour' ? 'hour' : 'day'
  const spans: readonly string[] = SPANS[granularity]
  const span = spans.find((one) => one === parameters.get('days')) ?? spans[1] ?? '30'
  const split: By = BYS.find((one) => one === parameters.get('split')) ?? 'deployment'
  const deploymentId = parameters.get('deployment') ?? ''
  const source = parameters.get('source') ?? undefined
  const asked = useMemo((): UsageAsked => {
    const now = nowMs()
    const begin = Math.floor(now / DAY_MS) * DAY_MS - (Number(span) - 1) * DAY_MS
    return {
      ...{ granularity, from: new Date(begin).toISOString(), to: new Date(now).toISOString() },
      ...(deploymentId === '' ? {} : { deploymentId }),
      ...(source === undefined ? {} : { source }),
    }
  }, [granularity, span, deploymentId, source])
  const lines = useAsked(JSON.stringify(asked), (signal) => readUsageLines(asked, signal))
  const deployments = useAsked('deployments', (signal) =>
    ask<Rows<DeploymentTold>>('/deployments?limit=200', { signal }),
  )
  const names = new Map(deployments.answer?.data.map(({ id, name }) => [id, name]))
  const rows = useMemo(() => parseLines(lines.answer ?? ''), [lines.answer])
  const fileName = `usage-${asked.from.slice(0, 10)}-${asked.to.slice(0, 10)}`
  return (
    <Page
      title={WORKSPACE.pages.usage}
      intro={T.intro}
      acts={
        <>
          <Button
            disabled={rows.length === 0}
            onClick={() => saveFile(`${fileName}.csv`, printCsv(rows, names))}
          >
            {T.csv}
          </Button>
          <Button
            disabled={rows.length === 0}
            onClick={() => saveFile(`${fileName}.ndjson`, lines.answer ?? '')}
          >
            {T.lines}
          </Button>
        </>
      }
    >
      <div class="usage-bar">
        <Select
          label={T.granularity}
          name="by"
          value={granularity}
          options={[
            ['day', T.byDay],
            ['hour', T.byHour],
          ]}
          onChoose={(value) => changeParameters({ by: value })}
        />
        <Select
          label={T.span}
          name="days"
          value={span}
          options={spans.map((one) => [one, T.lastDays(Number(one))])}
          onChoose={(value) => changeParameters({ days: value })}
        />
        <Select
          label={T.split}
          name="split"
          value={split}
          options={BYS.map((one) => [one, T.splits[one]])}
          onChoose={(value) => changeParameters({ split: value })}
        />
        <Select
          label={T.deployment}
          name="deployment"
          value={deploymentId}
          options={[['', T.every], ...[...names].map(([id, name]): [string, string] => [id, name])]}
          onChoose={(value) => changeParameters({ deployment: value })}
        />
        {source !== undefined && (
          <Button onClick={() => changeParameters({ source: '' })}>{T.sourceIs(source)} ×</Button>
        )}
      </div>
      <AskedPart asked={lines}>
        {() =>
          rows.length === 0 ? (
            <Empty title={T.none}>
              <p class="soft">{T.noneText}</p>
              <a href={PATHS.deployments}>{WORKSPACE.pages.deployments}</a>
            </Empty>
          ) : (
            <Usage rows={rows} asked={asked} split={split} names={names} />
          )
        }
      </AskedPart>
    </Page>
  )
}

function Usage({
  rows,
  asked,
  split,
  names,
}: {
  readonly rows: readonly UsageRow[]
  readonly asked: UsageAsked
  readonly split: By
  readonly names: ReadonlyMap<string, string>
}) {
  const { series, bars, totals } = useMemo(
    () => chartOf(rows, asked, split, names),
    [rows, asked, split, names.size],
  )
  const order = useSort()
  const sum = totals.reduce((all, { bytes }) => all + bytes, 0)
  return (
    <>
      <section class="card">
        <BarChart
          label={T.chart}
          series={series}
          bars={bars.map(({ time, values }) => ({
            label: asked.granularity === 'day' ? printShortDay(time) : `${time.slice(11, 16)}`,
            title:
              asked.granularity === 'day'
                ? printShortDay(time)
                : `${printShortDay(time)}, ${time.slice(11, 16)} UTC`,
            values,
          }))}
          print={printBytes}
        />
      </section>
      <Table
        label={T.totals}
        columns={[
          { name: T.splits[split], by: ['name', ({ name }) => name] },
          { name: T.events, isNumber: true, by: ['events', ({ events }) => events] },
          { name: T.bytes, isNumber: true, by: ['bytes', ({ bytes }) => bytes] },
          { name: T.share, isNumber: true },
        ]}
        rows={totals}
        order={order}
        sum={
          totals.length > 1 && (
            <tr>
              <td class="name">{T.all}</td>
              <td class="number">
                {printCount(totals.reduce((all, { events }) => all + events, 0))}
              </td>
              <td class="number strong">{printBytes(sum)}</td>
              <td class="number">100 %</td>
            </tr>
          )
        }
      >
        {({ key, name, events, bytes }) => (
          <tr key={key}>
            <td class="name">
              {split === 'deployment' ? (
                <a href={`${PATHS.deployments}/${key}`}>{name}</a>
              ) : split === 'source' && key !== '' ? (
                <button
                  type="button"
                  class="button button-plain"
                  onClick={() => changeParameters({ source: key })}
                >
                  {name}
                </button>
              ) : (
                name
              )}
            </td>
            <td class="number">{printCount(events)}</td>
            <td class="number">{printBytes(bytes)}</td>
            <td class="number">{sum === 0 ? '–' : `${((bytes / sum) * 100).toFixed(1)} %`}</td>
          </tr>
        )}
      </Table>
    </>
  )
}
