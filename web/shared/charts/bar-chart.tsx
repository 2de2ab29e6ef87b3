// Stacked bars over time, each as it was measured. The figures of one bar stand above: of the one
// under the pointer, or that the arrows have reached.
import { useRef, useState } from 'preact/hooks'
import type { Bar } from './bar.ts'
import { labelledBars } from './labelled-bars.ts'
import { binaryTicksOf, countTicksOf, ticksOf } from './scale.ts'
import { fillOf, keyOf } from './series-class.ts'
import { useWidth } from './use-width.ts'
import './charts.css'

const HEIGHT = 220
const LEFT = 62
const BOTTOM = 22
const TOP = 18
const LABEL_PX = 74

export type BarChartProps = {
  /** What it shows, read aloud. */
  readonly label: string
  readonly series: readonly string[]
  readonly bars: readonly Bar[]
  readonly print: (value: number) => string
  /** Whole numbers alone. */
  readonly isCount?: boolean
  /** `print` says KiB and MiB. */
  readonly isBinary?: boolean
  /** A line across, such as what a plan allows. */
  readonly limit?: { readonly value: number; readonly name: string }
}

export function BarChart(props: BarChartProps) {
  const { label, series, bars, print, isCount, isBinary, limit } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const [at, setAt] = useState<number>()
  const sums = bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0))
  const most = Math.max(...sums, limit?.value ?? 0)
  const ticks = (isBinary ? binaryTicksOf : isCount ? countTicksOf : ticksOf)(most)
  const top = ticks.at(-1) ?? 1
  const plot = Math.max(0, width - LEFT)
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const slot = bars.length === 0 ? plot : plot / bars.length
  const gap = slot > 4 ? Math.min(6, slot * 0.22) : 0
  const everyBar = Math.max(1, Math.ceil(LABEL_PX / Math.max(slot, 0.1)))
  const labels = bars.map((bar) => bar.label)
  const labelled = labelledBars(labels, slot, LABEL_PX)
  const shown = at === undefined ? undefined : bars[at]
  const move = (to: number) => setAt(Math.max(0, Math.min(bars.length - 1, to)))
  return (
    <div class="chart">
      <p class="chart-told tabular" aria-live="polite">
        {shown === undefined ? (
          <Legend series={series} />
        ) : (
          <>
            <span class="chart-told-time">{shown.title}</span>
            <b>{print(sums[at ?? 0] ?? 0)}</b>
            {series.length > 1 &&
              shown.values.map((value, index) =>
                value === 0 ? null : (
                  <span key={series[index]} class={`chart-key chart-key-${keyOf(index)}`}>
                    {series[index]} {print(value)}
                  </span>
                ),
              )}
          </>
        )}
      </p>
      <div
        ref={box}
        class="chart-box"
        role="application"
        aria-label={label}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') move((at ?? -1) + 1)
          else if (event.key === 'ArrowLeft') move((at ?? bars.length) - 1)
          else if (event.key === 'Escape') setAt(undefined)
          else return
          event.preventDefault()
        }}
        onBlur={() => setAt(undefined)}
        onMouseLeave={() => setAt(undefined)}
        onMouseMove={(event) => {
          const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT
          if (x >= 0 && bars.length > 0) move(Math.floor(x / slot))
        }}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden="true">
            {ticks.map((tick) => (
              <g key={tick}>
                <line class="chart-grid" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
                <text class="chart-text" x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
                  {print(tick)}
                </text>
              </g>
            ))}
            {bars.map((bar, index) => (
              <g key={bar.title} class={index === at ? 'chart-bar-at' : undefined}>
                {stack(bar.values).map(({ from, to, series: one }) => (
                  <rect
                    key={one}
                    class={fillOf(one)}
                    x={LEFT + slot * index + gap / 2}
                    width={Math.max(0.5, slot - gap)}
                    y={y(to)}
                    height={Math.max(0, y(from) - y(to))}
                  />
                ))}
                {labelled.has(index) && (
                  <text
                    class="chart-text"
                    x={LEFT + slot * index + (everyBar > 1 ? gap / 2 : slot / 2)}
                    y={HEIGHT - 5}
                    text-anchor={everyBar > 1 ? 'start' : 'middle'}
                  >
                    {bar.label}
                  </text>
                )}
              </g>
            ))}
            {limit !== undefined && (
              <g>
                <line
                  class="chart-limit"
                  x1={LEFT}
                  x2={width}
                  y1={y(limit.value)}
                  y2={y(limit.value)}
                />
                <text class="chart-limit-text" x={width} y={y(limit.value) - 5} text-anchor="end">
                  {limit.name}
                </text>
              </g>
            )}
          </svg>
        )}
      </div>
    </div>
  )
}

function Legend({ series }: { readonly series: readonly string[] }) {
  if (series.length < 2) return <span>{series[0] ?? ''}</span>
  return series.map((name, index) => (
    <span key={name} class={`chart-key chart-key-${keyOf(index)}`}>
      {name}
    </span>
  ))
}

function stack(values: readonly number[]) {
  let sum = 0
  return values.flatMap((value, series) => {
    const from = sum
    sum += value
    return value === 0 ? [] : [{ from, to: sum, series }]
  })
}
