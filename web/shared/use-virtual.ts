// A list of any length of which only what is in view is drawn. Rows have a known height; those that
// differ are measured when they are drawn.
import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { forgetGone, rowAt, topsOf } from './row-tops.ts'

const BEYOND_PX = 400

export type VirtualRow = { readonly index: number; readonly top: number }

export type Virtual = {
  readonly rows: readonly VirtualRow[]
  readonly height: number
  /** The `ref` of a row that may differ; it has its key as `data-key`. The same over all draws. */
  readonly measure: (element: HTMLElement | null) => (() => void) | undefined
  readonly scrollTo: (index: number) => void
  readonly onScroll: () => void
}

export function useVirtual(
  box: RefObject<HTMLElement | null>,
  keys: readonly string[],
  rowPx: number,
): Virtual {
  /** Of the rows that differ. */
  const heights = useRef(new Map<string, number>())
  const [, setTurn] = useState(0)
  const draw = useCallback(() => setTurn((turn) => turn + 1), [])
  const [measured, setMeasured] = useState(0)
  const usual = useRef(rowPx)
  usual.current = rowPx
  const tops = useMemo(() => {
    forgetGone(heights.current, keys)
    return topsOf(keys, heights.current, rowPx)
  }, [keys, rowPx, measured])
  const height = tops[keys.length] ?? 0
  const element = box.current
  const from = Math.max(0, (element?.scrollTop ?? 0) - BEYOND_PX)
  const to = (element?.scrollTop ?? 0) + (element?.clientHeight ?? 900) + BEYOND_PX
  const rows: VirtualRow[] = []
  for (let index = rowAt(tops, from); index < keys.length && (tops[index] ?? 0) < to; index += 1)
    rows.push({ index, top: tops[index] ?? 0 })

  const observer = useRef<ResizeObserver | undefined>(undefined)
  observer.current ??= new ResizeObserver((entries) => {
    let isNew = false
    for (const { target } of entries) {
      const key = target instanceof HTMLElement ? target.dataset.key : undefined
      const px = target.getBoundingClientRect().height
      if (key === undefined || px === 0) continue
      if ((heights.current.get(key) ?? usual.current) === px) continue
      heights.current.set(key, px)
      isNew = true
    }
    if (isNew) setMeasured((turn) => turn + 1)
  })
  useLayoutEffect(() => {
    if (box.current === null) return
    const resized = new ResizeObserver(draw)
    resized.observe(box.current)
    return () => {
      resized.disconnect()
      observer.current?.disconnect()
    }
  }, [box, draw])

  const measure = useCallback((shown: HTMLElement | null) => {
    const seen = observer.current
    if (shown === null || seen === undefined) return undefined
    seen.observe(shown)
    return () => seen.unobserve(shown)
  }, [])

  return {
    rows,
    height,
    measure,
    scrollTo: (index) => {
      const top = tops[index]
      if (element === null || top === undefined) return
      const bottom = tops[index + 1] ?? top + rowPx
      if (top < element.scrollTop) element.scrollTop = top
      else if (bottom > element.scrollTop + element.clientHeight)
        element.scrollTop = Math.min(top, bottom - element.clientHeight)
    },
    onScroll: draw,
  }
}
