import { useId } from 'preact/hooks'
import { ColumnInput } from '../../query-editor/column-input.tsx'
import { QueryField } from '../../query-editor/query-field.tsx'
import type { ControlProps } from '../objects/object-extras.ts'
import { toWords } from '../parts/words.ts'

export function QueryControl({ field, value, error, onInput }: ControlProps) {
  const { name, hint, help } = field
  return (
    <div class="object-field">
      <QueryField {...{ label: toWords(name), name, value, hint, help, error, onInput }} />
    </div>
  )
}

export function ColumnControl({ field, value, error, onInput }: ControlProps) {
  const id = useId()
  const told = `${id}-told`
  const input = {
    ...{ id, name: field.name, placeholder: field.hint },
    ...{ 'aria-invalid': error !== undefined, 'aria-describedby': told },
  }
  return (
    <div class="field object-field">
      <label for={id}>{toWords(field.name)}</label>
      <ColumnInput {...{ value, onInput, input }} />
      <p id={told} class={error === undefined ? 'field-help' : 'field-error'}>
        {error ?? field.help}
      </p>
    </div>
  )
}
