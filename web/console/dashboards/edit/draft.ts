// What is done to widgets while a dashboard is edited. Pure: a draft in, a draft out.
import type { DashboardDefinition } from '../../../../schemas/dashboards/dashboard.ts'
import type { Widget, WidgetPlace } from '../../../../schemas/dashboards/widget.ts'

/** As in schemas/dashboards/widget.ts, which would bring the library of schemas along. */
const COLUMNS = 12
const MOST_HEIGHT = 40
const NEW_SIZE = { width: 6, height: 6 }

export function withPlace(
  draft: DashboardDefinition,
  id: string,
  place: WidgetPlace,
): DashboardDefinition {
  const moved = clamp(place)
  const widgets = draft.widgets.map((one) => (one.id === id ? { ...one, place: moved } : one))
  return { ...draft, widgets: pushDown(widgets, id) }
}

export function withWidget(draft: DashboardDefinition, widget: Widget): DashboardDefinition {
  const isThere = draft.widgets.some(({ id }) => id === widget.id)
  const widgets = isThere
    ? draft.widgets.map((one) => (one.id === widget.id ? widget : one))
    : [...draft.widgets, widget]
  return { ...draft, widgets }
}

export function withoutWidget(draft: DashboardDefinition, id: string): DashboardDefinition {
  return { ...draft, widgets: draft.widgets.filter((one) => one.id !== id) }
}

/** Below all others, with a name that none has. */
export function newWidget({ widgets }: DashboardDefinition, title: string): Widget {
  const isTaken = (name: string) =>
    widgets.some((one) => one.id === name || one.title.toLowerCase() === name.toLowerCase())
  let count = widgets.length + 1
  while (isTaken(`widget-${count}`) || isTaken(`${title} ${count}`)) count++
  return {
    ...{ id: `widget-${count}`, title: `${title} ${count}`, description: '', type: 'column' },
    ...{ query: '* | count | interval 1 hour', text: '', timeFrame: null, sources: null },
    place: { column: 0, row: lowestRow(widgets), ...NEW_SIZE },
    options: {
      ...{ unit: 'none', suffix: '', decimals: null, thresholds: [], legend: 'bottom' },
      ...{ min: null, max: null, maxRows: 100, category: null, series: null, values: [] },
      ...{ latitude: null, longitude: null },
    },
    hasDrillDown: true,
  }
}

function lowestRow(widgets: readonly Widget[]): number {
  return Math.max(0, ...widgets.map(({ place }) => place.row + place.height))
}

function clamp({ column, row, width, height }: WidgetPlace): WidgetPlace {
  const wide = Math.max(1, Math.min(COLUMNS, width))
  return {
    column: Math.max(0, Math.min(COLUMNS - wide, column)),
    row: Math.max(0, row),
    width: wide,
    height: Math.max(1, Math.min(MOST_HEIGHT, height)),
  }
}

/** What lies in the way of `first` goes down, and what lies in the way of that. */
function pushDown(widgets: readonly Widget[], first: string): Widget[] {
  const settled: Widget[] = widgets.filter(({ id }) => id === first)
  const others = widgets.filter(({ id }) => id !== first)
  others.sort((a, b) => a.place.row - b.place.row || a.place.column - b.place.column)
  for (const one of others) {
    let { place } = one
    // Each step passes one widget, so there are no more than widgets.
    for (const _ of widgets) {
      const over = settled.find((other) => overlap(other.place, place))
      if (over === undefined) break
      place = { ...place, row: over.place.row + over.place.height }
    }
    settled.push({ ...one, place })
  }
  const byId = new Map(settled.map((one) => [one.id, one]))
  return widgets.map((one) => byId.get(one.id) ?? one)
}

function overlap(a: WidgetPlace, b: WidgetPlace): boolean {
  return (
    a.column < b.column + b.width &&
    b.column < a.column + a.width &&
    a.row < b.row + b.height &&
    b.row < a.row + a.height
  )
}
