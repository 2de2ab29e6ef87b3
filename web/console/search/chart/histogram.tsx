import { useRef, useState } from 'preact/hooks'
import type { HistogramAnswer } from '../../../../schemas/search-json/answers.ts'
import { printCount, printShort, timePrinter } from '../../../shared/format.ts'
import { Progress } from '../../../shared/waiting/progress.tsx'
import { setRange } from '../acts.ts'
import { LEVEL_NAME } from '../events/level.ts'
import { faultText } from '../fault-text.ts'
import type { Read } from '../run/part.ts'
import type { ComparedWith } from '../run/view.ts'
import { T } from '../texts.ts'
import { type Layer, layersOf } from './layers.ts'
import './histogram.css'

const HEIGHT = 64

type Brush = { readonly from: number; readonly to: number }

export type HistogramProps = Read<HistogramAnswer> & {
  /** Of the earlier time: a pale line. */
  readonly before: HistogramAnswer | undefined
  readonly comparedWith: ComparedWith | undefined
}

/** Events by time, one bar a bucket, as they were counted. A drag zooms, and so do arrows. */
export function Histogram(props: HistogramProps) {
  const { value, isBusy, error, before, comparedWith = 'before' } = props
  const plot = useRef<SVGSVGElement>(null)
  const [brush, setBrush] = useState<Brush>()
  const [hover, setHover] = useState<number>()
  const buckets = value?.histogram.buckets ?? []
  const layers = value === undefined ? [] : layersOf(value, LEVEL_NAME)
  const line = value === undefined ? [] : countsBefore(value, before)
  const most = Math.max(1, ...line, ...buckets.map(({ count }) => count))
  const printer = timePrinter(value?.histogram.timeZone)

  const bucketAt = (event: MouseEvent) => {
    const box = plot.current?.getBoundingClientRect()
    if (box === undefined || buckets.length === 0) return 0
    const at = Math.floor(((event.clientX - box.left) / box.width) * buckets.length)
    return Math.max(0, Math.min(buckets.length - 1, at))
  }
  const zoom = ({ from, to }: Brush) => {
    const start = buckets[Math.min(from, to)]?.start
    const end = buckets[Math.max(from, to)]?.end
    if (start !== undefined && end !== undefined) setRange({ kind: 'times', start, end })
  }
  /** Arrows move, with Shift they mark; Enter zooms. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || buckets.length === 0) return
    const last = buckets.length - 1
    const now = hover ?? last
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key]
    if (next !== undefined) {
      const at = Math.max(0, Math.min(last, hover === undefined ? now : next))
      setHover(at)
      setBrush(event.shiftKey ? { from: brush?.from ?? now, to: at } : undefined)
    } else if (event.key === 'Enter') {
      zoom(brush ?? { from: now, to: now })
      setBrush(undefined)
    } else if (event.key === 'Escape' && brush !== undefined) setBrush(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const told = hover === undefined ? undefined : buckets[hover]
  const toldText =
    told && T.bucketTitle(printer.minute(told.start), describe(told.count, layers, hover))
  return (
    <section class={`histogram ${error && value ? 'stale' : ''}`} aria-label={T.histogram}>
      <Progress isBusy={isBusy} label={T.counting} />
      {error !== undefined && value === undefined && (
        <p class="histogram-error">{faultText(error)}</p>
      )}
      <div class="histogram-plot">
        <span class="histogram-most">{value?.total ? printShort(most) : ''}</span>
        <svg
          ref={plot}
          class="histogram-bars"
          viewBox={`0 0 ${Math.max(1, buckets.length)} ${HEIGHT}`}
          preserveAspectRatio="none"
          id="histogram"
          role="slider"
          tabIndex={0}
          aria-label={`${T.histogram}: ${T.histogramHelp}`}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, buckets.length - 1)}
          aria-valuenow={hover ?? Math.max(0, buckets.length - 1)}
          aria-valuetext={toldText ?? ''}
          onKeyDown={onKeyDown}
          onBlur={() => {
            setHover(undefined)
            setBrush(undefined)
          }}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            const at = bucketAt(event)
            setBrush({ from: at, to: at })
          }}
          onPointerMove={(event) => {
            const at = bucketAt(event)
            setHover(at)
            if (brush !== undefined) setBrush({ from: brush.from, to: at })
          }}
          onPointerUp={() => {
            if (brush !== undefined) zoom(brush)
            setBrush(undefined)
          }}
          onPointerLeave={() => setHover(undefined)}
          onPointerCancel={() => setBrush(undefined)}
        >
          {buckets.map((bucket, at) => (
            <Bar key={bucket.start} at={at} layers={layers} most={most} isHover={at === hover} />
          ))}
          {line.length > 0 && (
            <path
              class="histogram-before"
              d={stepPath(line, most)}
              vector-effect="non-scaling-stroke"
            />
          )}
          {brush !== undefined && (
            <rect
              class="histogram-brush"
              x={Math.min(brush.from, brush.to)}
              width={Math.abs(brush.to - brush.from) + 1}
              y="0"
              height={HEIGHT}
            />
          )}
        </svg>
      </div>
      <div class="histogram-times">
        <span>{buckets[0] === undefined ? '' : printer.minute(buckets[0].start)}</span>
        <span class="histogram-told" aria-live="off">
          {toldText === undefined
            ? value && T.step(value.histogram.step)
            : toldText +
              (line.length > 0
                ? ` · ${T.compare.line[comparedWith](printCount(line[hover ?? 0] ?? 0))}`
                : '')}
        </span>
        <span>{lastEnd(value, printer.minute)}</span>
      </div>
    </section>
  )
}

/** Of each bar the events so long before; none while they are not known. */
function countsBefore(
  { histogram: { buckets, start } }: HistogramAnswer,
  before: HistogramAnswer | undefined,
): readonly number[] {
  const earlier = before?.histogram.start
  if (before === undefined || start === null || typeof earlier !== 'string') return []
  const shiftMs = Date.parse(start) - Date.parse(earlier)
  const starts = buckets.map((bucket) => Date.parse(bucket.start))
  const counts = buckets.map(() => 0)
  for (const bucket of before.histogram.buckets) {
    // Of its middle: buckets follow the calendar and need not begin alike.
    const middleMs = (Date.parse(bucket.start) + Date.parse(bucket.end)) / 2 + shiftMs
    const at = Math.max(
      0,
      starts.findLastIndex((startMs) => startMs <= middleMs),
    )
    counts[at] = (counts[at] ?? 0) + bucket.count
  }
  return counts
}

function stepPath(counts: readonly number[], most: number): string {
  return counts
    .map((count, at) => {
      const y = (HEIGHT - 1 - (count / most) * (HEIGHT - 3)).toFixed(1)
      return `${at === 0 ? 'M' : 'L'}${at} ${y}H${at + 1}`
    })
    .join('')
}

type BarProps = {
  readonly at: number
  readonly layers: readonly Layer[]
  readonly most: number
  readonly isHover: boolean
}

function Bar({ at, layers, most, isHover }: BarProps) {
  let top = HEIGHT
  return (
    <g>
      {isHover && <rect class="histogram-hover" x={at} width="1" y="0" height={HEIGHT} />}
      {layers.map(({ name, kind, counts }) => {
        const count = counts[at] ?? 0
        if (count === 0) return null
        // What is there is seen, however little it is.
        const height = Math.max(1, (count / most) * (HEIGHT - 2))
        top -= height
        return (
          <rect
            key={name}
            class={`layer-${kind}`}
            x={at + 0.08}
            width="0.84"
            y={top}
            height={height}
          />
        )
      })}
    </g>
  )
}

function describe(count: number, layers: readonly Layer[], at: number | undefined): string {
  const parts = layers
    .filter(({ counts, name }) => name !== '' && (counts[at ?? -1] ?? 0) > 0)
    .map(({ name, counts }) => `${name} ${printCount(counts[at ?? -1] ?? 0)}`)
  const all = printCount(count)
  return parts.length === 0 ? all : `${all} (${parts.reverse().join(', ')})`
}

function lastEnd(value: HistogramAnswer | undefined, print: (iso: string) => string): string {
  const end = value?.histogram.end ?? value?.histogram.buckets.at(-1)?.end
  return end === undefined || end === null ? '' : print(end)
}
