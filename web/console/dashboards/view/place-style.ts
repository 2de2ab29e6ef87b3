import type { WidgetPlace } from '../../../../schemas/dashboards/widget.ts'

/** In one row there is room beside the title only. */
export function widgetClass({ height }: WidgetPlace): string {
  return height === 1 ? 'board-widget board-widget-low' : 'board-widget'
}

/** Read by dashboards.css, which puts the widgets one below the other where there is no room. */
export function placeStyle({ column, row, width, height }: WidgetPlace) {
  return { '--column': column + 1, '--row': row + 1, '--width': width, '--height': height }
}
