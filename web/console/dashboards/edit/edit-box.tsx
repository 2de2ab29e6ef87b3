import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { Widget, WidgetPlace } from '../../../../schemas/dashboards/widget.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { T } from '../texts.ts'
import { placeStyle } from '../view/place-style.ts'

type EditBoxProps = {
  readonly widget: Widget
  readonly children: ComponentChildren
  readonly onPlace: (place: WidgetPlace) => void
  readonly onOpen: () => void
  readonly onRemove: () => void
}

const STEPS: Readonly<Record<string, readonly [column: number, row: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A widget that can be moved and resized, by the mouse and by keys. */
export function EditBox({ widget, children, onPlace, onOpen, onRemove }: EditBoxProps) {
  const { place, title } = widget
  const box = useRef<HTMLElement>(null)
  const change = (columns: number, rows: number, isSize: boolean, from: WidgetPlace = place) =>
    onPlace(
      isSize
        ? {
            ...from,
            width: Math.min(12 - from.column, from.width + columns),
            height: from.height + rows,
          }
        : { ...from, column: from.column + columns, row: from.row + rows },
    )
  const drag = (event: PointerEvent, isSize: boolean) => {
    const shown = box.current
    if (event.button !== 0 || shown === null) return
    event.preventDefault()
    const unit = { x: shown.offsetWidth / place.width, y: shown.offsetHeight / place.height }
    const ending = new AbortController()
    const { signal } = ending
    const move = (now: PointerEvent) =>
      change(
        Math.round((now.clientX - event.clientX) / unit.x),
        Math.round((now.clientY - event.clientY) / unit.y),
        isSize,
        place,
      )
    addEventListener('pointermove', move, { signal })
    for (const end of ['pointerup', 'pointercancel'])
      addEventListener(end, () => ending.abort(), { signal })
  }
  return (
    <section ref={box} class="board-widget" aria-label={title} style={placeStyle(place)}>
      <div class="board-edit">
        <button
          type="button"
          class="board-handle"
          aria-label={T.edit.move(title)}
          title={T.edit.move(title)}
          onPointerDown={(event) => drag(event, false)}
          onKeyDown={(event) => {
            const step = STEPS[event.key]
            if (step === undefined) return
            event.preventDefault()
            change(...step, event.shiftKey)
          }}
        >
          ⠿
        </button>
        <span class="grow" />
        <Button look="plain" aria-label={`${T.edit.change}: ${title}`} onClick={onOpen}>
          {T.edit.change}
        </Button>
        <Button look="plain" aria-label={`${T.edit.remove}: ${title}`} onClick={onRemove}>
          {T.edit.remove}
        </Button>
      </div>
      {children}
      <div
        class="board-corner"
        title={T.edit.resize}
        onPointerDown={(event) => drag(event, true)}
      />
    </section>
  )
}
