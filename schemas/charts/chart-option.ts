// The one definition of charts: from a widget and its rows to what ECharts draws, in the browser
// and on the server. Pure. Values are drawn as measured: bars, and lines that keep a value until
// the next one; nothing is smoothed.
import type { WidgetRows } from '../dashboards/result.ts'
import type { VisualType, Widget } from '../dashboards/widget.ts'
import { CHART_COLOURS, type ChartTheme } from './chart-colours.ts'
import type { ChartInput, ChartOption } from './options/chart-input.ts'
import { heatMapOption } from './options/heat-map-option.ts'
import { mapOption } from './options/map-option.ts'
import { gaugeOption, pieOption } from './options/part-options.ts'
import { wordCloudOption } from './options/word-cloud-option.ts'
import { xyOption } from './options/xy-option.ts'

/** Types that are drawn by ECharts; the others are text and tables. */
export const CHART_TYPES: ReadonlySet<VisualType> = new Set([
  ...['line', 'area', 'column', 'stackedColumn', 'bar', 'pie', 'donut', 'gauge'],
  ...['heatMap', 'map', 'wordCloud'],
] as const)

export type ChartQuestion = {
  readonly widget: Pick<Widget, 'type' | 'options'>
  readonly rows: WidgetRows
  readonly theme: ChartTheme
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** IANA, of times on axes. */
  readonly timeZone: string
  readonly fontFamily: string
  /** How wide a text is at a size of 1. */
  readonly measure: (text: string) => number
  /** Nobody can point at it or page in it: paper. */
  readonly isStill: boolean
}

/** Undefined: this type is no chart, or the rows have nothing that it could draw. */
export function chartOption(question: ChartQuestion): ChartOption | undefined {
  const { widget, theme, fontFamily } = question
  const input: ChartInput = { ...question, options: widget.options, colours: CHART_COLOURS[theme] }
  const option = optionOf(widget.type, input)
  if (option === undefined) return undefined
  return {
    animation: false,
    backgroundColor: 'transparent',
    color: input.colours.series,
    textStyle: { fontFamily, color: input.colours.text, fontSize: 11 },
    ...option,
  }
}

function optionOf(type: VisualType, input: ChartInput): ChartOption | undefined {
  switch (type) {
    case 'line':
    case 'area':
    case 'column':
    case 'stackedColumn':
    case 'bar':
      return xyOption(type, input)
    case 'pie':
    case 'donut':
      return pieOption(type, input)
    case 'gauge':
      return gaugeOption(input)
    case 'heatMap':
      return heatMapOption(input)
    case 'map':
      return mapOption(input)
    case 'wordCloud':
      return wordCloudOption(input)
    default:
      return undefined
  }
}
