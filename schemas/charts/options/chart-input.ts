// What every kind of chart is made of, and parts that several have.
import type { WidgetRows } from '../../dashboards/result.ts'
import type { WidgetOptions } from '../../dashboards/widget.ts'
import type { ChartColours } from '../chart-colours.ts'
import { printValue } from '../print-value.ts'

/** An option of ECharts. */
export type ChartOption = Readonly<Record<string, unknown>>

export type ChartInput = {
  readonly rows: WidgetRows
  readonly options: WidgetOptions
  readonly colours: ChartColours
  readonly width: number
  readonly height: number
  readonly timeZone: string
}

/** Pixels of a digit or letter, about, at 11 pixels of type. */
export const LETTER_PX = 6.2

export function cut(text: string, most: number): string {
  return [...text].length <= most ? text : `${[...text].slice(0, most - 1).join('')}…`
}

export function printer({ options }: Pick<ChartInput, 'options'>) {
  return (value: number) => printValue(value, options)
}

/** The colour of a value by its thresholds. */
export function levelColour(
  value: number,
  { options: { thresholds }, colours }: Pick<ChartInput, 'options' | 'colours'>,
): string | undefined {
  const reached = [...thresholds]
    .sort((a, b) => a.from - b.from)
    .filter(({ from }) => value >= from)
    .at(-1)
  return reached && colours.levels[reached.level]
}

const MARGIN = 8
const LEGEND_ROW = 20
const MAX_LEGEND_PART = 0.4

/** The legend, and the room that it takes of each side. */
export function legendOf(names: readonly string[], input: ChartInput) {
  const { options, colours, width, height } = input
  if (options.legend === 'none' || names.length < 2)
    return { legend: undefined, right: MARGIN, bottom: MARGIN }
  const style = {
    type: 'scroll',
    icon: 'roundRect',
    itemWidth: 10,
    itemHeight: 10,
    textStyle: { color: colours.text, fontSize: 11 },
    pageTextStyle: { color: colours.quiet },
    pageIconColor: colours.quiet,
    formatter: (name: string) => cut(name, 28),
    data: names,
  }
  const longest = Math.min(28, Math.max(...names.map((name) => [...name].length)))
  const wide = Math.min(longest * LETTER_PX + 30, width * MAX_LEGEND_PART)
  if (options.legend === 'right') {
    const legend = { ...style, orient: 'vertical', right: 4, top: 'middle', height: height - 16 }
    return { legend, right: wide + MARGIN, bottom: MARGIN }
  }
  const legend = { ...style, orient: 'horizontal', bottom: 2, left: 'center', width: width - 16 }
  return { legend, right: MARGIN, bottom: LEGEND_ROW + MARGIN }
}
