// What several parts of a document share.
import type { Paper } from '../../../infra/pdf/paper.ts'
import { CHART_COLOURS } from '../../../schemas/charts/chart-colours.ts'
import type { WidgetResult } from '../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../schemas/dashboards/widget.ts'

export const COLOURS = CHART_COLOURS.light

export type WidgetPlaceOnPaper = {
  readonly widget: Widget
  readonly result: WidgetResult | undefined
  readonly timeZone: string
  /** Of its search; undefined: it leads nowhere. */
  readonly url: string | undefined
  /** A place of the document where its table goes on. */
  readonly continuation: string
}

/** Lines of the width, the last one with … where there are more. */
export function fitText(
  paper: Paper,
  text: string,
  style: Parameters<Paper['measure']>[1],
  width: number,
  most: number,
): string[] {
  const lines = paper.wrap(text, style, width).map((line) => line.text)
  const count = Math.max(1, most)
  if (lines.length <= count) return lines
  const kept = lines.slice(0, count)
  let last = `${kept.at(-1) ?? ''}…`
  while (last.length > 1 && paper.measure(last, style) > width) last = `${last.slice(0, -2)}…`
  return [...kept.slice(0, -1), last]
}
