// Parts of a whole, and one value on a scale.
import { meantColour } from '../chart-colours.ts'
import { type ChartData, readSeries } from '../read-series.ts'
import {
  type ChartInput,
  type ChartOption,
  cut,
  LETTER_PX,
  legendOf,
  printer,
} from './chart-input.ts'

const MAX_SLICES = 10
const OTHERS = 'others'

export function pieOption(type: 'pie' | 'donut', input: ChartInput): ChartOption | undefined {
  const slices = slicesOf(readSeries(input.rows, input.options))
  if (slices.length === 0) return undefined
  const { colours, width, height } = input
  const { legend, right, bottom } = legendOf(
    slices.map(({ name }) => name),
    input,
  )
  const print = printer(input)
  const free = { width: width - (right > 20 ? right : 0), height: height - bottom }
  const longest = Math.max(...slices.map(({ value }) => print(value).length))
  const label = longest * LETTER_PX + 26
  const outer = Math.max(18, Math.min(free.height / 2 - 20, free.width / 2 - label))
  return {
    legend,
    tooltip: { trigger: 'item', valueFormatter: (value: unknown) => print(Number(value)) },
    series: [
      {
        type: 'pie',
        center: [free.width / 2, free.height / 2 + 2],
        radius: [type === 'donut' ? outer * 0.58 : 0, outer],
        startAngle: 90,
        data: slices.map((slice) => {
          const color = meantColour(slice.name, colours)
          return color === undefined ? slice : { ...slice, itemStyle: { color } }
        }),
        label: {
          color: colours.text,
          fontSize: 11,
          formatter: ({ value }: { value: unknown }) => print(Number(value)),
        },
        labelLine: { length: 6, length2: 6, lineStyle: { color: colours.quiet } },
        labelLayout: { hideOverlap: true },
        itemStyle: { borderColor: colours.ground, borderWidth: 1 },
      },
    ],
  }
}

/** A slice has no negative size. */
function slicesOf({ categories, series }: ChartData): { name: string; value: number }[] {
  const all = categories
    .map((name, at) => ({
      name: cut(name, 40),
      value: series.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0),
    }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
  if (all.length <= MAX_SLICES) return all
  const rest = all.slice(MAX_SLICES - 1).reduce((sum, { value }) => sum + value, 0)
  return [...all.slice(0, MAX_SLICES - 1), { name: OTHERS, value: rest }]
}

export function gaugeOption(input: ChartInput): ChartOption | undefined {
  const { options, colours, width, height } = input
  const data = readSeries(input.rows, options)
  const value = data.series[0]?.values.findLast((one) => one !== null)
  if (value === undefined || value === null) return undefined
  const min = options.min ?? Math.min(0, value)
  const top = options.max ?? Math.max(...options.thresholds.map(({ from }) => from), roundUp(value))
  const max = top > min ? top : min + 1
  const place = (at: number) => Math.min(1, Math.max(0, (at - min) / (max - min)))
  const steps = [...options.thresholds].sort((a, b) => a.from - b.from)
  const bands = steps.map(({ level }, at) => [
    place(steps[at + 1]?.from ?? max),
    colours.levels[level],
  ])
  const first = steps[0] === undefined ? [] : [[place(steps[0].from), colours.line]]
  const colour = [...first, ...bands].filter(([end]) => Number(end) > 0)
  const radius = Math.min(width / 2 - 30, height * 0.62)
  const print = printer(input)
  return {
    series: [
      {
        type: 'gauge',
        ...{ min, max, startAngle: 200, endAngle: -20, radius, splitNumber: 4 },
        center: ['50%', height * 0.64],
        axisLine: {
          lineStyle: { width: 10, color: colour.length > 0 ? colour : [[1, colours.line]] },
        },
        progress: { show: steps.length === 0, width: 10 },
        pointer: { width: 4, length: '62%', itemStyle: { color: colours.text } },
        axisTick: { show: false },
        splitLine: { length: 10, lineStyle: { color: colours.ground, width: 1 } },
        axisLabel: { color: colours.quiet, distance: 14, fontSize: 10, formatter: print },
        anchor: { show: true, size: 8, itemStyle: { color: colours.text } },
        detail: {
          ...{ color: colours.text, fontSize: 18, fontWeight: 'bold', offsetCenter: [0, '42%'] },
          formatter: () => print(value),
        },
        title: { show: false },
        data: [{ value }],
      },
    ],
  }
}

/** 1, 2 or 5 times a power of ten, not below. */
function roundUp(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}
