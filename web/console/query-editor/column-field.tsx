import { useId } from 'preact/hooks'
import { ColumnInput } from './column-input.tsx'

type ColumnFieldProps = {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly hint?: string
  readonly help?: string
  readonly error?: string | undefined
  readonly required?: boolean
  readonly onInput: (value: string) => void
}

/** The name of one column with its label above, and below it help or what is wrong. */
export function ColumnField(props: ColumnFieldProps) {
  const { label, name, value, hint = '', help = '', error, required = false, onInput } = props
  const id = useId()
  const toldBy = `${id}-told`
  const input = {
    ...{ id, name, required, placeholder: hint },
    ...{ 'aria-invalid': error !== undefined, 'aria-describedby': toldBy },
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <ColumnInput {...{ value, onInput, input }} />
      <p id={toldBy} class={error === undefined ? 'field-help' : 'field-error'}>
        {error ?? help}
      </p>
    </div>
  )
}
