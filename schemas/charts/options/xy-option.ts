// Lines, areas, columns and bars over categories or time.

import { utcMsToLocal } from '../../time/local-time.ts'
import { timeZone } from '../../time/time-zone.ts'
import { meantColour } from '../chart-colours.ts'
import { type ChartData, readSeries } from '../read-series.ts'
import {
  axisPrinter,
  type ChartInput,
  type ChartOption,
  cut,
  legendOf,
  levelColour,
  moreOf,
  noteOf,
  printer,
  TYPE_PX,
} from './chart-input.ts'

type XyType = 'line' | 'area' | 'column' | 'stackedColumn' | 'bar'

const DAY_MS = 86_400_000
/** Room above for the highest label of the axis. */
const TOP = 14
const MAX_LABEL = 22
/** A lower one has no room for axes: its course alone is drawn. */
const LOWEST_WITH_AXES = 48
/** Of the numbers beside the columns, about. */
const SCALE = 60

export function xyOption(type: XyType, input: ChartInput): ChartOption | undefined {
  const data = readSeries(input.rows, input.options)
  if (!data.series.some(({ values }) => values.some((value) => value !== null))) return undefined
  const { colours, options } = input
  const names = data.series.map(({ name }) => name)
  const hasAxes = input.height >= LOWEST_WITH_AXES
  const { legend, right, bottom, missing } = hasAxes
    ? legendOf(names, input)
    : { legend: undefined, right: 0, bottom: 2, missing: 0 }
  const print = printer(input)
  const isLine = type === 'line' || type === 'area'
  const values = {
    type: 'value',
    min: options.min ?? undefined,
    max: options.max ?? undefined,
    splitNumber: Math.max(
      2,
      Math.min(5, Math.floor(type === 'bar' ? input.width / 90 : input.height / 45)),
    ),
    axisLabel: {
      ...{ show: hasAxes, color: colours.quiet, hideOverlap: true },
      formatter: axisPrinter(input),
    },
    splitLine: { show: hasAxes, lineStyle: { color: colours.line } },
  }
  const labels = data.times
    ? printTimes(data.times, input.timeZone)
    : data.categories.map((name) => cut(name, MAX_LABEL))
  const categories = {
    type: 'category',
    data: isLine ? [...labels, ...(data.times ? [''] : [])] : labels,
    boundaryGap: !isLine,
    inverse: type === 'bar',
    axisLabel: {
      show: hasAxes,
      color: colours.quiet,
      hideOverlap: true,
      ...(type === 'bar'
        ? besideBars(labels.length, input)
        : data.times
          ? {}
          : below(labels, input)),
    },
    axisLine: { lineStyle: { color: colours.quiet } },
    axisTick: { show: false },
  }
  return {
    legend,
    graphic: { elements: noteOf([moreOf(missing)], input) },
    tooltip: { trigger: 'axis', valueFormatter: (value: unknown) => printAny(value, print) },
    grid: {
      ...{ left: hasAxes ? 10 : 0, top: hasAxes ? TOP : 2, right: right + 6, bottom },
      ...{ outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    },
    xAxis: type === 'bar' ? values : categories,
    yAxis: type === 'bar' ? categories : values,
    series: data.series.map((series, at) => ({
      ...{ name: series.name, data: drawn(series.values, input, data, isLine) },
      ...(isLine ? lineStyle(type, data) : barStyle(type)),
      color: meantColour(series.name, colours),
      ...(at === 0 ? { markLine: thresholdLines(input, type) } : {}),
    })),
  }
}

/** Names of bars: smaller type where they are many. */
function besideBars(count: number, { width, height }: ChartInput) {
  const fontSize = Math.max(7, Math.min(TYPE_PX, Math.floor((height - 40) / count) - 1))
  return { interval: 0, width: width * 0.35, overflow: 'truncate', fontSize }
}

/** Names below columns: aslant where they have no room side by side. */
function below(labels: readonly string[], { width, height, measure }: ChartInput) {
  const each = (width - SCALE) / labels.length
  const widest = Math.max(0, ...labels.map(measure)) * TYPE_PX
  if (widest + 8 <= each || each < TYPE_PX + 2) return {}
  const most = Math.min(90, height * 0.45)
  return { interval: 0, rotate: 40, width: most, overflow: 'truncate', hideOverlap: false }
}

function drawn(
  values: readonly (number | null)[],
  input: ChartInput,
  { times, series }: ChartData,
  isLine: boolean,
) {
  // A value of an interval holds until its end.
  if (isLine) return times ? [...values, values.at(-1) ?? null] : values
  if (series.length > 1) return values
  return values.map((value) => {
    const colour = value === null ? undefined : levelColour(value, input)
    return colour === undefined ? value : { value, itemStyle: { color: colour } }
  })
}

function lineStyle(type: XyType, { times, categories }: ChartData) {
  return {
    type: 'line',
    step: times ? 'end' : undefined,
    smooth: false,
    connectNulls: false,
    showSymbol: categories.length < 3,
    symbolSize: 5,
    lineStyle: { width: 1.5 },
    ...(type === 'area' ? { areaStyle: { opacity: 0.25 } } : {}),
  }
}

function barStyle(type: XyType) {
  return {
    type: 'bar',
    barMaxWidth: 36,
    barCategoryGap: '20%',
    ...(type === 'stackedColumn' ? { stack: 'all' } : {}),
  }
}

function thresholdLines({ options, colours }: ChartInput, type: XyType) {
  if (options.thresholds.length === 0) return undefined
  return {
    symbol: 'none',
    silent: true,
    label: { show: false },
    data: options.thresholds.map(({ from, level }) => ({
      [type === 'bar' ? 'xAxis' : 'yAxis']: from,
      lineStyle: { color: colours.levels[level], type: 'dashed', width: 1 },
    })),
  }
}

/** As short as tells them apart. */
export function printTimes(times: readonly number[], zoneName: string): string[] {
  const zone = timeZone(zoneName)
  const local = times.map((ms) => utcMsToLocal(ms + zone.offsetMsAt(ms)))
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0)
  const isDaily = local.every(({ hour, minute }) => hour === 0 && minute === 0)
  const hasSeconds = local.some(({ second }) => second !== 0)
  const two = (value: number) => String(value).padStart(2, '0')
  return local.map(({ year, month, day, hour, minute, second }) => {
    const date = `${two(month)}-${two(day)}`
    if (isDaily && times.length > 1) return span > 300 * DAY_MS ? `${year}-${date}` : date
    const clock = `${two(hour)}:${two(minute)}${hasSeconds ? `:${two(second)}` : ''}`
    return span > DAY_MS || times.length === 1 ? `${date} ${clock}` : clock
  })
}

function printAny(value: unknown, print: (value: number) => string): string {
  return typeof value === 'number' ? print(value) : '–'
}
