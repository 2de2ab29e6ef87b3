// Parts of a whole, and one value on a scale.
import { meantColour } from '../chart-colours.ts'
import { type ChartData, readSeries } from '../read-series.ts'
import {
  axisPrinter,
  type ChartInput,
  type ChartOption,
  cut,
  legendOf,
  moreOf,
  NOTE_ROW,
  noteOf,
  printer,
  TYPE_PX,
} from './chart-input.ts'

const MAX_SLICES = 10
const LOWEST_WITH_LEGEND = 90
/** Of a gauge, below which its scale has no room. */
const SMALLEST_RADIUS = 42
/** Below which the numbers of its scale have none. */
const RADIUS_WITH_NUMBERS = 72
const LABEL_LINE = 6
const BOLDER = 1.08
const BAND = 10
const OTHERS = 'others'

export function pieOption(type: 'pie' | 'donut', input: ChartInput): ChartOption | undefined {
  const data = readSeries(input.rows, input.options)
  const slices = slicesOf(data)
  if (slices.length === 0) return undefined
  const { colours, width, height } = input
  const isLow = height < LOWEST_WITH_LEGEND
  const names = isLow ? [] : slices.map(({ name }) => name)
  const print = printer(input)
  const label = axisPrinter(input)
  const values = new Map(slices.map(({ name, value }) => [name, print(value)]))
  // On paper each number is read: beside a slice there is not always room.
  const behind = (name: string) => (input.isStill ? `  ${values.get(name) ?? ''}` : '')
  const { legend, right, bottom, missing } = legendOf(names, input, behind)
  const negative = countNegative(data)
  const note = noteOf([moreOf(missing), negativeNote(negative)], input)
  const foot = negative > 0 && missing === 0 ? NOTE_ROW : 0
  const free = { width: width - (right > 20 ? right : 0), height: height - bottom - foot }
  const longest = Math.max(...slices.map(({ value }) => input.measure(label(value)))) * TYPE_PX
  const outer = Math.max(
    isLow ? 6 : 18,
    Math.min(free.height / 2 - (isLow ? 4 : 20), free.width / 2 - longest - 26),
  )
  return {
    legend:
      legend && foot > 0 && legend.orient === 'horizontal' ? { ...legend, bottom: foot } : legend,
    graphic: { elements: note },
    tooltip: { trigger: 'item', valueFormatter: (value: unknown) => print(Number(value)) },
    series: [
      {
        type: 'pie',
        ...{ left: 0, top: 2, width: free.width, height: free.height },
        radius: [type === 'donut' ? outer * 0.58 : 0, outer],
        startAngle: 90,
        data: slices.map((slice) => {
          const color = meantColour(slice.name, colours)
          return color === undefined ? slice : { ...slice, itemStyle: { color } }
        }),
        label: {
          color: colours.text,
          fontSize: 11,
          formatter: ({ value }: { value: unknown }) => label(Number(value)),
        },
        // Numbers of narrow slices would stand over each other.
        minShowLabelAngle: Math.min(45, ((TYPE_PX / (outer + LABEL_LINE)) * 180) / Math.PI),
        labelLine: { length: LABEL_LINE, length2: LABEL_LINE, lineStyle: { color: colours.quiet } },
        labelLayout: { hideOverlap: true },
        itemStyle: { borderColor: colours.ground, borderWidth: 1 },
      },
    ],
  }
}

/** Of its values. */
export function countNegative({ series }: ChartData): number {
  return series.flatMap(({ values }) => values).filter((value) => value !== null && value < 0)
    .length
}

export function negativeNote(count: number): string {
  return count === 0 ? '' : `${count} below zero not drawn`
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
  const radius = Math.max(10, Math.min(width / 2 - 30, height * 0.62))
  const print = printer(input)
  const isSmall = radius < SMALLEST_RADIUS
  const wide = Math.max(0.1, input.measure(print(value)))
  return {
    series: [
      {
        type: 'gauge',
        ...{ min, max, startAngle: 200, endAngle: -20, radius, splitNumber: 4 },
        center: ['50%', height * (isSmall ? 0.5 : 0.64)],
        axisLine: {
          show: !isSmall,
          lineStyle: { width: BAND, color: colour.length > 0 ? colour : [[1, colours.line]] },
        },
        progress: { show: steps.length === 0 && !isSmall, width: BAND },
        pointer: { show: !isSmall, width: 4, length: '62%', itemStyle: { color: colours.text } },
        axisTick: { show: false },
        splitLine: { show: !isSmall, length: BAND, lineStyle: { color: colours.ground, width: 1 } },
        axisLabel: {
          ...{ show: radius >= RADIUS_WITH_NUMBERS, color: colours.quiet, distance: 14 },
          fontSize: 10,
          formatter: axisPrinter(input),
        },
        anchor: { show: !isSmall, size: 8, itemStyle: { color: colours.text } },
        detail: {
          ...{ color: colours.text, fontWeight: 'bold', offsetCenter: [0, isSmall ? 0 : '42%'] },
          fontSize: Math.max(
            7,
            Math.min(18, (isSmall ? width - 4 : radius * 1.5) / (wide * BOLDER)),
          ),
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
