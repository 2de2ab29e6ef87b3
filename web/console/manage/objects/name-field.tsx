import type { ComponentType } from 'preact'
import { useId } from 'preact/hooks'
import { useAsked } from '../../../shared/asked.ts'
import { toWords } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'
import type { ControlProps } from './object-extras.ts'

type NameFieldOptions = {
  /** Says what is listed. */
  readonly key: string
  readonly list: (signal: AbortSignal) => Promise<readonly string[]>
  /** An argument that goes not together with it: a choice empties that. */
  readonly other: string
}

/** One of what there is; as text where that cannot be listed. */
export function makeNameField({ key, list, other }: NameFieldOptions): ComponentType<ControlProps> {
  return function NameField({ field, value, error, onInput, form }: ControlProps) {
    const id = useId()
    const { answer, error: failure } = useAsked(`names ${key}`, list)
    if (failure !== undefined || answer?.length === 0) return form.usual(field.name)
    const names = answer ?? []
    const isListed = value === '' || names.includes(value)
    return (
      <div class="field object-field">
        <label for={id}>{toWords(field.name)}</label>
        <select
          id={id}
          class="input"
          name={field.name}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-told`}
          disabled={answer === undefined}
          value={value}
          onChange={({ currentTarget: { value: chosen } }) =>
            chosen !== '' && form.read(other) !== ''
              ? form.change({ [field.name]: chosen, [other]: '' })
              : onInput(chosen)
          }
        >
          <option value="">{MANAGE.form.none}</option>
          {/* What is named and is not there stays in sight. */}
          {(isListed ? names : [value, ...names]).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <p id={`${id}-told`} class={error === undefined ? 'field-help' : 'field-error'}>
          {error ?? field.help}
        </p>
      </div>
    )
  }
}
