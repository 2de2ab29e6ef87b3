import { useEffect, useRef, useState } from 'preact/hooks'
import { chartOption } from '../../../../schemas/charts/chart-option.ts'
import type { WidgetRows } from '../../../../schemas/dashboards/result.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'
import { T } from '../texts.ts'
import type { DrawnChart, Picked } from './draw-chart.ts'
import { useChartTheme } from './use-chart-theme.ts'

type ChartProps = {
  readonly widget: Widget
  readonly rows: WidgetRows
  readonly timeZone: string
  readonly onPick: (picked: Picked) => void
}

const FONT = '"Inter Variable", system-ui, sans-serif'

let pen: CanvasRenderingContext2D | null | undefined

/** The code that draws; to be fetched while the numbers are made. */
export function loadDrawing() {
  return import('./draw-chart.ts')
}

/** How wide a text is at a size of 1. */
function measure(text: string): number {
  if (pen === undefined) {
    pen = document.createElement('canvas').getContext('2d')
    if (pen !== null) pen.font = `100px ${FONT}`
  }
  return (pen?.measureText(text).width ?? text.length * 56) / 100
}

export function Chart({ widget, rows, timeZone, onPick }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const size = useSize(box)
  const theme = useChartTheme()
  const [chart, setChart] = useState<DrawnChart>()
  const [hasFailed, setFailed] = useState(false)
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    let opened: DrawnChart | undefined
    let isOver = false
    loadDrawing().then(
      ({ openChart }) => {
        if (isOver || box.current === null) return
        opened = openChart(box.current, (picked) => pick.current(picked))
        setChart(opened)
      },
      () => setFailed(true),
    )
    return () => {
      isOver = true
      opened?.close()
    }
  }, [])
  const { width, height } = size
  const isSeen = width > 0 && height > 0
  const option = isSeen
    ? chartOption({
        ...{ widget, rows, theme, width, height, timeZone, fontFamily: FONT },
        ...{ measure, isStill: false },
      })
    : undefined
  useEffect(() => {
    if (option !== undefined) chart?.draw(option, { width, height })
  }, [chart, widget, rows, theme, width, height, timeZone])
  const isUndrawable = isSeen && option === undefined
  const told = isUndrawable ? T.view.noNumbers : hasFailed ? T.view.drawing : undefined
  return (
    <>
      {told !== undefined && <p class="board-told">{told}</p>}
      <div
        ref={box}
        class="board-chart"
        role="img"
        aria-label={T.view.chart(widget.title, rows.rows.length)}
        hidden={told !== undefined}
        data-drawn={chart !== undefined && option !== undefined ? 'yes' : undefined}
      />
    </>
  )
}

function useSize(box: { readonly current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const watcher = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = element
      if (width > 0 && height > 0) setSize({ width, height })
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return size
}
