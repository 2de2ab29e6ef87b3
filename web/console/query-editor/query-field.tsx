import { useEffect, useId, useRef } from 'preact/hooks'
import type { WindowParameters } from '../../shared/api/search.ts'
import { type Editor, openEditor } from './open-editor.ts'
import './query-field.css'

/** Columns and values of late are those that a query of a form is about. */
const WINDOW: WindowParameters = { interval: 'last24Hours' }

export type QueryFieldProps = {
  readonly label: string
  /** By which a form finds it, to put the focus there. */
  readonly name: string
  readonly value: string
  readonly hint: string
  /** What stands before the text in the query that it is a part of. */
  readonly leading?: string
  readonly help: string
  readonly error: string | undefined
  readonly onInput: (value: string) => void
}

/** A query in a form, with the colours and the completion of the search page. */
export function QueryField(props: QueryFieldProps) {
  const { label, name, value, hint, help, error } = props
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | undefined>(undefined)
  /** Texts of the editor whose values have not come back yet: a late one is no other's. */
  const sent = useRef<string[]>([])
  const isGiven = useRef(false)
  const latest = useRef(props)
  latest.current = props
  const told = error ?? help

  useEffect(() => {
    if (place.current === null) return
    place.current.setAttribute('name', name)
    place.current.focus = () => editor.current?.focus()
    editor.current = openEditor({
      ...{ place: place.current, text: latest.current.value, label, hint },
      leading: latest.current.leading,
      readWindow: () => WINDOW,
      onChange: (text) => {
        if (isGiven.current) return
        sent.current.push(text)
        latest.current.onInput(text)
      },
    })
    return () => editor.current?.destroy()
  }, [])
  useEffect(() => {
    const at = sent.current.lastIndexOf(value)
    if (at >= 0) {
      sent.current.splice(0, at + 1)
      return
    }
    isGiven.current = true
    editor.current?.setText(value)
    isGiven.current = false
  }, [value])
  useEffect(() => editor.current?.describe(told, error !== undefined), [told, error])

  return (
    <div class="field">
      <label for={id} onClick={() => editor.current?.focus()}>
        {label}
      </label>
      <div id={id} class="input query-field" data-faulty={error !== undefined} ref={place} />
      {told !== '' && <p class={error === undefined ? 'field-help' : 'field-error'}>{told}</p>}
    </div>
  )
}

/** The scope of a query alone: logs, folders and app tags are completed. */
export function SourcesField(props: Omit<QueryFieldProps, 'leading'>) {
  return <QueryField {...props} leading="* in " />
}
