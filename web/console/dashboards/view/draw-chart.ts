// ECharts with the parts that our definitions use (schemas/charts). A chunk of its own: only who
// looks at a chart loads it. On a canvas: an SVG and its tips would need styles in the markup,
// which the policy of the pages refuses.
import {
  BarChart,
  GaugeChart,
  HeatmapChart,
  LineChart,
  LinesChart,
  PieChart,
  ScatterChart,
} from 'echarts/charts'
import {
  GraphicComponent,
  GridComponent,
  LegendComponent,
  LegendScrollComponent,
  MarkLineComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components'
import { init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import type { ChartOption } from '../../../../schemas/charts/options/chart-input.ts'

use([
  ...[BarChart, GaugeChart, HeatmapChart, LineChart, LinesChart, PieChart, ScatterChart],
  ...[GraphicComponent, GridComponent, LegendComponent, LegendScrollComponent],
  ...[MarkLineComponent, TooltipComponent, VisualMapComponent, CanvasRenderer],
])

/** What somebody clicked: the name of a category, and its place. */
export type Picked = { readonly name: string; readonly at: number; readonly series: string }

export type DrawnChart = {
  draw(option: ChartOption, size: { readonly width: number; readonly height: number }): void
  close(): void
}

export function openChart(element: HTMLElement, onPick: (picked: Picked) => void): DrawnChart {
  const chart = init(element, null, { renderer: 'canvas' })
  chart.on('click', ({ componentType, name, dataIndex, seriesName }) => {
    if (componentType === 'series') onPick({ name, at: dataIndex, series: seriesName ?? '' })
  })
  return {
    draw: (option, size) => {
      chart.resize(size)
      chart.setOption({ ...option, tooltip: tipOf(option) }, { notMerge: true })
    },
    close: () => chart.dispose(),
  }
}

/** Drawn, not written as markup. */
function tipOf({ tooltip }: ChartOption): object | undefined {
  if (typeof tooltip !== 'object' || tooltip === null) return undefined
  return { ...tooltip, renderMode: 'richText', confine: true }
}
