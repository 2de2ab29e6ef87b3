// Where widgets stand on pages: as on the grid of the screen, a page after the other. Pure.
import { GRID_COLUMNS, type WidgetPlace } from '../../../schemas/dashboards/widget.ts'

export type GridPage<Of> = readonly { readonly of: Of; readonly box: Box }[]
type Box = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export type Sheet = {
  readonly left: number
  readonly width: number
  /** Where the grid begins on the first page and on the others, and where a page ends. */
  readonly firstTop: number
  readonly top: number
  readonly bottom: number
}

const ROW = 36
const GAP = 8

/** Widgets that begin in one row stay on one page; what is taller than a page is made lower. */
export function layOut<Of extends { readonly place: WidgetPlace }>(
  widgets: readonly Of[],
  { left, width, firstTop, top, bottom }: Sheet,
): readonly GridPage<Of>[] {
  const column = (width + GAP) / GRID_COLUMNS
  const rows = [...new Set(widgets.map(({ place }) => place.row))].sort((a, b) => a - b)
  const pages: { of: Of; box: Box }[][] = [[]]
  let begin = rows[0] ?? 0
  let pageTop = firstTop
  for (const row of rows) {
    const group = widgets.filter(({ place }) => place.row === row)
    const lowest = Math.max(...group.map(({ place }) => place.row + place.height))
    if (row > begin && pageTop + (lowest - begin) * ROW - GAP > bottom) {
      pages.push([])
      begin = row
      pageTop = top
    }
    for (const of of group) {
      const { place } = of
      const y = pageTop + (row - begin) * ROW
      pages.at(-1)?.push({
        of,
        box: {
          ...{ x: left + place.column * column, y, width: place.width * column - GAP },
          height: Math.min(place.height * ROW, bottom - y + GAP) - GAP,
        },
      })
    }
  }
  return pages
}
