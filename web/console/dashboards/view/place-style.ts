import type { Widget, WidgetPlace } from '../../../../schemas/dashboards/widget.ts'

/** In one row there is room beside the title only; numbers share a row of a phone. */
export function widgetClass({ type, place }: Widget): string {
  const low = place.height === 1 ? ' board-widget-low' : ''
  return `board-widget${low}${type === 'number' ? ' board-widget-number' : ''}`
}

/** Read by dashboards.css, which puts the widgets one below the other where there is no room. */
export function placeStyle({ column, row, width, height }: WidgetPlace) {
  return { '--column': column + 1, '--row': row + 1, '--width': width, '--height': height }
}
