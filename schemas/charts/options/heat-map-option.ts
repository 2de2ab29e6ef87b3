// Two categories and a colour for the number that they have together.
import { readSeries } from '../read-series.ts'
import { axisPrinter, type ChartInput, type ChartOption, cut, printer } from './chart-input.ts'
import { printTimes } from './xy-option.ts'

/** Of the number in a cell, which is there where it has room in each. */
const CELL_TYPE_PX = 9
/** Share of the width that is surely the cells'. */
const CELLS_WIDE = 0.65
/** Of axis and ramp. */
const FOOT_PX = 64
/** Of the ramp alone; it has no room in a low one. */
const RAMP_PX = 34
const LOWEST_WITH_RAMP = 110
/** Share of the ramp from which the ground is read better on it than the text. */
const DARK_FROM = 0.6

export function heatMapOption(input: ChartInput): ChartOption | undefined {
  const { categories, times, series } = readSeries(input.rows, input.options)
  const cells = series.flatMap(({ values }, y) =>
    values.flatMap((value, x) => (value === null ? [] : [[x, y, value] as const])),
  )
  if (cells.length === 0) return undefined
  const { colours, options, width, height } = input
  const numbers = cells.map(([, , value]) => value)
  const print = printer(input)
  const short = axisPrinter(input)
  const [least, most] = [Math.min(0, ...numbers), Math.max(...numbers, 1)]
  /** The ramp goes from the ground to what stands out from it. */
  const onRamp = (value: number) =>
    (value - least) / (most - least) > DARK_FROM ? colours.ground : colours.text
  const hasRamp = height >= LOWEST_WITH_RAMP
  const columns = new Set(cells.map(([x]) => x)).size
  const widest = Math.max(...numbers.map((value) => input.measure(short(value))))
  const hasRoom =
    (width * CELLS_WIDE) / Math.max(columns, categories.length, times?.length ?? 0) >
      widest * CELL_TYPE_PX + 4 && (height - FOOT_PX) / series.length > CELL_TYPE_PX + 3
  const label = { color: colours.quiet, fontSize: 11, hideOverlap: true }
  const axis = {
    type: 'category',
    axisLine: { show: false },
    axisTick: { show: false },
    splitArea: { show: false },
  }
  return {
    tooltip: { position: 'top', valueFormatter: (value: unknown) => print(Number(value)) },
    grid: {
      ...{ left: 10, top: 8, right: 12, bottom: 8 + (hasRamp ? RAMP_PX : 0) },
      ...{ outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    },
    xAxis: {
      ...axis,
      axisLabel: label,
      data: times ? printTimes(times, input.timeZone) : categories.map((name) => cut(name, 16)),
    },
    yAxis: {
      ...axis,
      inverse: true,
      data: series.map(({ name }) => name),
      axisLabel: { ...label, width: width * 0.3, overflow: 'truncate' },
    },
    visualMap: {
      show: hasRamp,
      ...{ type: 'continuous', min: options.min ?? Math.min(0, ...numbers) },
      max: options.max ?? Math.max(...numbers, 1),
      ...{ calculable: false, orient: 'horizontal', left: 'center', bottom: 4 },
      ...{ itemWidth: 10, itemHeight: Math.min(160, width * 0.4) },
      text: [short(Math.max(...numbers)), short(Math.min(...numbers))],
      textStyle: { color: colours.quiet, fontSize: 10 },
      inRange: { color: colours.ramp },
    },
    series: [
      {
        type: 'heatmap',
        data: cells.map((value) => ({ value, label: { color: onRamp(value[2]) } })),
        itemStyle: { borderColor: colours.ground, borderWidth: height > 120 ? 1 : 0 },
        label: {
          show: hasRoom,
          fontSize: CELL_TYPE_PX,
          formatter: ({ value }: { value: readonly number[] }) => short(value[2] ?? 0),
        },
      },
    ],
  }
}
