import { useEffect, useId, useState } from 'preact/hooks'
import { completeQuery } from '../../shared/api/search.ts'

const MOST = 30
/** From the last key to the question: keys of one burst ask once. */
const TYPING_MS = 150

export type ColumnInputProps = {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly input: {
    readonly id?: string
    readonly name?: string
    readonly class?: string
    readonly placeholder: string
    readonly required?: boolean
    readonly 'aria-label'?: string
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string
    readonly onBlur?: () => void
  }
}

/** The name of one column; those that this user may see and that begin so are offered. */
export function ColumnInput({ value, onInput, input }: ColumnInputProps) {
  const id = useId()
  const [isTyped, setTyped] = useState(false)
  const names = useColumnNames(isTyped ? value.trim() : '')
  return (
    <>
      <input
        {...input}
        class={`input ${input.class ?? ''}`}
        list={id}
        value={value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          setTyped(true)
          onInput(event.currentTarget.value)
        }}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function useColumnNames(begun: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    if (begun === '') return
    const ending = new AbortController()
    const ask = async () => {
      const asked = { interval: 'last24Hours', query: begun, position: begun.length, limit: MOST }
      const { suggestions } = await completeQuery(asked, ending.signal)
      const columns = suggestions.filter(({ kind }) => kind === 'column')
      setNames(columns.map(({ text }) => unquote(text)))
    }
    const timer = setTimeout(() => {
      // Nothing is offered then; the server says what is wrong with a name.
      ask().catch(() => undefined)
    }, TYPING_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [begun])
  return names
}

/** As the query language writes a name of several words. */
function unquote(text: string): string {
  return /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text
}
