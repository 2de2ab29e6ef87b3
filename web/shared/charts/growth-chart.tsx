// What a period has used so far, day by day as steps, against what is allowed; and the forecast of
// its end as a band. Between today and the end only the end is forecast: the band opens straight.
import { useRef } from 'preact/hooks'
import { ticksOf } from './scale.ts'
import { useWidth } from './use-width.ts'
import './charts.css'

const HEIGHT = 240
const LEFT = 62
const RIGHT = 10
const BOTTOM = 22
const TOP = 14
const LABEL_PX = 74

export type GrowthChartProps = {
  /** What it shows, in words. */
  readonly label: string
  /** Of each day of the period, for the axis. */
  readonly days: readonly string[]
  /** Sum at the end of each day that has begun. */
  readonly sums: readonly number[]
  readonly limit?: { readonly value: number; readonly name: string }
  /** Of the sum at the end of the period. */
  readonly forecast?: { readonly middle: number; readonly low: number; readonly high: number }
  readonly print: (value: number) => string
}

export function GrowthChart({ label, days, sums, limit, forecast, print }: GrowthChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const now = sums.at(-1) ?? 0
  const ticks = ticksOf(Math.max(now, limit?.value ?? 0, forecast?.high ?? 0))
  const top = ticks.at(-1) ?? 1
  const slot = Math.max(0, width - LEFT - RIGHT) / Math.max(1, days.length)
  const x = (day: number) => LEFT + slot * day
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top)
  const steps = sums.map((sum, day) => `V${y(sum)}H${x(day + 1)}`).join('')
  const begin = x(sums.length)
  const end = x(days.length)
  const everyDay = Math.max(1, Math.ceil(LABEL_PX / Math.max(slot, 0.1)))
  return (
    <div class="chart">
      <div ref={box} class="chart-box">
        {width > 0 && (
          <svg width={width} height={HEIGHT} role="img" aria-label={label}>
            {ticks.map((tick) => (
              <g key={tick}>
                <line class="chart-grid" x1={LEFT} x2={width} y1={y(tick)} y2={y(tick)} />
                <text class="chart-text" x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
                  {print(tick)}
                </text>
              </g>
            ))}
            {days.map(
              (day, index) =>
                index % everyDay === 0 &&
                x(index) + LABEL_PX / 2 < width && (
                  <text key={day} class="chart-text" x={x(index)} y={HEIGHT - 5}>
                    {day}
                  </text>
                ),
            )}
            <path class="chart-area" d={`M${LEFT},${y(0)}${steps}V${y(0)}Z`} />
            <path class="chart-line" d={`M${LEFT},${y(0)}${steps}`} />
            {forecast !== undefined && (
              <g>
                <path
                  class="chart-band"
                  d={`M${begin},${y(now)}L${end},${y(forecast.high)}V${y(forecast.low)}Z`}
                />
                <path class="chart-ahead" d={`M${begin},${y(now)}L${end},${y(forecast.middle)}`} />
              </g>
            )}
            {limit !== undefined && (
              <g>
                <line
                  class="chart-limit"
                  x1={LEFT}
                  x2={width}
                  y1={y(limit.value)}
                  y2={y(limit.value)}
                />
                <text class="chart-limit-text" x={LEFT + 6} y={y(limit.value) - 5}>
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
