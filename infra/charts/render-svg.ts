// SVG of charts, without a browser: ECharts with the parts that our definitions use. It is loaded
// when it is first used, and lives in the worker that makes documents.
import type { ChartOption } from '../../schemas/charts/options/chart-input.ts'

export type RenderSvg = (
  option: ChartOption,
  size: { readonly width: number; readonly height: number },
) => string

/** `measure`: how wide a text is at a size of 1. */
export async function loadRenderer(measure: (text: string) => number): Promise<RenderSvg> {
  const [core, charts, components, renderers] = await Promise.all([
    import('echarts/core'),
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/renderers'),
  ])
  const { BarChart, GaugeChart, HeatmapChart, LineChart, LinesChart, PieChart, ScatterChart } =
    charts
  const { GraphicComponent, GridComponent, LegendComponent, MarkLineComponent } = components
  const { VisualMapComponent, LegendScrollComponent } = components
  core.use([
    ...[BarChart, GaugeChart, HeatmapChart, LineChart, LinesChart, PieChart, ScatterChart],
    ...[GraphicComponent, GridComponent, LegendComponent, LegendScrollComponent],
    ...[MarkLineComponent, VisualMapComponent, renderers.SVGRenderer],
  ])
  core.setPlatformAPI({
    measureText: (text: string, font?: string) => {
      const size = Number(/(?<![\d.])(\d+(?:\.\d+)?)px/.exec(font ?? '')?.[1] ?? 12)
      return { width: measure(text) * size }
    },
  })
  return (option, { width, height }) => {
    const chart = core.init(null, null, { renderer: 'svg', ssr: true, width, height })
    try {
      // Nobody points at paper.
      const { tooltip: _, ...drawn } = option
      chart.setOption(drawn)
      return chart.renderToSVGString()
    } finally {
      chart.dispose()
    }
  }
}
