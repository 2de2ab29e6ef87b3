import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import './field.css'

export type FieldProps = {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Below it; read with it. */
  readonly help?: ComponentChildren
  readonly error?: string | undefined
  readonly type?: 'text' | 'password'
  readonly autocomplete?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly autofocus?: boolean
  /** What could stand there, to complete what is typed. */
  readonly examples?: readonly string[] | undefined
}

/** A line of text with its label above, and below it help or what is wrong. */
export function Field({ label, help, error, onInput, type, examples = [], ...given }: FieldProps) {
  const id = useId()
  const isTold = error !== undefined || help !== undefined
  const input = {
    ...given,
    id,
    class: 'input',
    onInput: (event: InputEvent & { currentTarget: HTMLInputElement }) =>
      onInput(event.currentTarget.value),
    list: examples.length > 0 ? `${id}-examples` : undefined,
    'aria-invalid': error !== undefined,
    'aria-describedby': isTold ? `${id}-told` : undefined,
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'password' ? <input {...input} type="password" /> : <input {...input} />}
      {examples.length > 0 && (
        <datalist id={`${id}-examples`}>
          {examples.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {isTold && (
        <p id={`${id}-told`} class={error === undefined ? 'field-help' : 'field-error'}>
          {error ?? help}
        </p>
      )}
    </div>
  )
}
