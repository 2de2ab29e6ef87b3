// What every kind of chart is made of, and parts that several have.
import type { WidgetRows } from '../../dashboards/result.ts'
import type { WidgetOptions } from '../../dashboards/widget.ts'
import type { ChartColours } from '../chart-colours.ts'
import { printShort, printValue } from '../print-value.ts'

/** An option of ECharts. */
export type ChartOption = Readonly<Record<string, unknown>>

export type ChartInput = {
  readonly rows: WidgetRows
  readonly options: WidgetOptions
  readonly colours: ChartColours
  readonly width: number
  readonly height: number
  readonly timeZone: string
  /** How wide a text is at a size of 1. */
  readonly measure: (text: string) => number
  /** Nobody can point at it or page in it: paper. */
  readonly isStill: boolean
}

/** Pixels of the type of labels. */
export const TYPE_PX = 11

/** Where several begin alike, their ends tell them apart. */
export function cutMiddle(text: string, most: number): string {
  const letters = [...text]
  if (letters.length <= most) return text
  const tail = Math.floor((most - 1) * 0.4)
  return `${letters.slice(0, most - 1 - tail).join('')}…${letters.slice(-tail).join('')}`
}

export function cut(text: string, most: number): string {
  return [...text].length <= most ? text : `${[...text].slice(0, most - 1).join('')}…`
}

export function printer({ options }: Pick<ChartInput, 'options'>) {
  return (value: number) => printValue(value, options)
}

export function axisPrinter({ options }: Pick<ChartInput, 'options'>) {
  return (value: number) => printShort(value, options)
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
const ROW = 18
const GAP = 6
const ICON = 10
/** Of an icon and what stands between it and its name. */
const BESIDE = ICON + 5
const MAX_LEGEND_WIDTH = 0.4
const MAX_LEGEND_HEIGHT = 0.28
const NAME_LENGTHS = [28, 20, 14]
/** Of a line that says what is not drawn. */
export const NOTE_ROW = 14

/**
 * `behind`: what stands behind each name.
 *
 * The legend, the room that it takes of each side, and how many of its names have no room. On a
 * screen it is paged through; on paper all stand side by side, as far as there is room.
 */
export function legendOf(
  names: readonly string[],
  input: ChartInput,
  behind: (name: string) => string = () => '',
) {
  const { options, colours, width, height, isStill } = input
  if (options.legend === 'none' || names.length < 2)
    return { legend: undefined, right: MARGIN, bottom: MARGIN, missing: 0 }
  const isRight = options.legend === 'right'
  const { shown, length, rows, wide } = fitNames(names, input, { isRight, behind })
  const style = {
    type: isStill ? 'plain' : 'scroll',
    icon: 'roundRect',
    ...{ itemWidth: ICON, itemHeight: ICON, itemGap: GAP, padding: 0 },
    textStyle: { color: colours.text, fontSize: TYPE_PX, lineHeight: ROW - GAP },
    pageTextStyle: { color: colours.quiet },
    pageIconColor: colours.quiet,
    formatter: (name: string) => cutMiddle(name, length) + behind(name),
    data: shown,
  }
  const missing = names.length - shown.length
  if (isRight) {
    const legend = { ...style, orient: 'vertical', right: 4, top: 'middle', height: height - 16 }
    return { legend, right: wide + MARGIN, bottom: MARGIN, missing }
  }
  const bottom = missing > 0 ? NOTE_ROW : 2
  const legend = { ...style, orient: 'horizontal', bottom, left: 'center', width: width - 16 }
  return { legend, right: MARGIN, bottom: rows * ROW + bottom + MARGIN, missing }
}

/** The names that have room, at the greatest length at which all have it, or else the least. */
function fitNames(
  names: readonly string[],
  { width, height, measure, isStill }: ChartInput,
  { isRight, behind }: { readonly isRight: boolean; readonly behind: (name: string) => string },
) {
  const whole = isRight ? width * MAX_LEGEND_WIDTH : width - 16
  const most = isStill
    ? Math.max(1, Math.floor((height * (isRight ? 0.9 : MAX_LEGEND_HEIGHT)) / ROW))
    : 1
  const place = (length: number) => {
    let rows = 1
    let used = 0
    let widest = 0
    let count = 0
    for (const name of names) {
      const wide = measure(cutMiddle(name, length) + behind(name)) * TYPE_PX + BESIDE + GAP
      widest = Math.max(widest, wide)
      const isNext = used > 0 && (isRight || used + wide > whole + GAP)
      if (isNext) rows += 1
      used = isNext ? wide : used + wide
      if (rows <= most) count += 1
    }
    const wide = Math.min(widest + 4, whole)
    return { length, rows: Math.min(rows, most), count, wide, isWhole: rows <= most }
  }
  const placed = NAME_LENGTHS.map(place)
  const best = isStill ? (placed.find(({ isWhole }) => isWhole) ?? placed.at(-1)) : placed[0]
  const { count, ...told } = best ?? place(NAME_LENGTHS[0] ?? 0)
  return { ...told, shown: isStill ? names.slice(0, count) : names }
}

/** What is not drawn is said, at the foot. */
export function noteOf(parts: readonly string[], { colours }: ChartInput) {
  const text = parts.filter((part) => part !== '').join(', ')
  if (text === '') return []
  const style = { text, fill: colours.quiet, fontSize: 9 }
  return [{ type: 'text', right: 4, bottom: 1, silent: true, style }]
}

export function moreOf(count: number): string {
  return count === 0 ? '' : `${count} more`
}
