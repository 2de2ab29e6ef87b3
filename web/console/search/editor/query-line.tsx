import { useEffect, useRef } from 'preact/hooks'
import type { Warning } from '../../../../schemas/warning.ts'
import type { CallError } from '../../../shared/api/call.ts'
import { type Editor, openEditor } from '../../query-editor/open-editor.ts'
import { currentView } from '../acts.ts'
import { windowOf } from '../run/view.ts'
import { T } from '../texts.ts'
import { queryMarks } from './query-marks.ts'
import './query-line.css'

export type QueryLineProps = {
  /** Of the search that was run; typing is not asked. */
  readonly query: string
  readonly error: CallError | undefined
  readonly warnings: readonly Warning[]
  readonly onChange: (text: string) => void
  readonly onRun: (text: string) => void
}

export function QueryLine(props: QueryLineProps) {
  const { query, error, warnings } = props
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | undefined>(undefined)
  const text = useRef(query)
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    if (place.current === null) return
    editor.current = openEditor({
      place: place.current,
      text: text.current,
      label: T.query,
      hint: T.queryHint,
      readWindow: () => windowOf(currentView()),
      onChange: (typed) => {
        text.current = typed
        latest.current.onChange(typed)
      },
      onRun: () => latest.current.onRun(text.current),
    })
    editor.current.focus()
    return () => editor.current?.destroy()
  }, [])
  useEffect(() => editor.current?.setText(query), [query])
  useEffect(() => {
    const onReplace = (replacement: string) => latest.current.onRun(replacement)
    const given = { text: text.current, error, warnings, act: T.warningApply, onReplace }
    editor.current?.setMarks(queryMarks(given))
  }, [error, warnings])

  return <div id="query" class="query-line" ref={place} />
}

export function focusQuery(): void {
  const place = document.querySelector('#query')
  place?.shadowRoot?.querySelector<HTMLElement>('.cm-content')?.focus()
}
