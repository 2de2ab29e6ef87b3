import { useId } from 'preact/hooks'
import './field.css'

export type SelectProps = {
  readonly label: string
  readonly name: string
  readonly value: string
  /** Value and text of each. */
  readonly options: readonly (readonly [string, string])[]
  readonly onChoose: (value: string) => void
}

/** One of several, with its label above. */
export function Select({ label, name, value, options, onChoose }: SelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        class="input"
        name={name}
        value={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
