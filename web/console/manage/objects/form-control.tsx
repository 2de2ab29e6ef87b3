import { useId } from 'preact/hooks'
import { toWords } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'
import { ENTRY_SEPARATOR, type FormField } from './form-fields.ts'
import './form-control.css'

const T = MANAGE.form

export type FormControlProps = {
  readonly field: FormField
  readonly value: string
  readonly error: string | undefined
  /** Names the object: it cannot be changed. */
  readonly isFixed: boolean
  /** A secret that is there and not shown. */
  readonly isKept: boolean
  readonly onInput: (value: string) => void
}

/** One argument of the command: its name above, what it means below. */
export function FormControl(props: FormControlProps) {
  const { field, error, isKept } = props
  const id = useId()
  const help = field.look === 'entries' ? `${field.help} ${T.oneALine}` : field.help
  const told = error ?? (isKept ? T.keptSecret : help)
  return (
    <div class="field object-field">
      {field.look === 'flag' ? (
        <Flag {...props} id={id} />
      ) : (
        <>
          <label for={id}>{toWords(field.name)}</label>
          <Input {...props} id={id} />
        </>
      )}
      {told !== '' && (
        <p id={`${id}-told`} class={error === undefined ? 'field-help' : 'field-error'}>
          {told}
        </p>
      )}
    </div>
  )
}

/** Where nothing is set, it stands as the server takes it. */
function Flag({ field, value, error, onInput, id }: FormControlProps & { id: string }) {
  return (
    <label class="flag">
      <input
        id={id}
        type="checkbox"
        name={field.name}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-told`}
        checked={value === '' ? field.isOnByDefault : value === 'true'}
        onChange={(event) => onInput(String(event.currentTarget.checked))}
      />
      {toWords(field.name)}
    </label>
  )
}

function Input({ field, value, error, isFixed, onInput, id }: FormControlProps & { id: string }) {
  const { look, choices, examples, isSecret, hint, isRequired } = field
  const shared = {
    id,
    name: field.name,
    'aria-invalid': error !== undefined,
    'aria-describedby': `${id}-told`,
  }
  if (look === 'choice')
    return (
      <select
        {...shared}
        class="input input-choice"
        value={value}
        onChange={(event) => onInput(event.currentTarget.value)}
      >
        {!choices.some((choice) => choice.value === value) && (
          <option value={value}>{value || T.byDefault}</option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    )
  if (look === 'entries' || look === 'text') {
    const isList = look === 'entries'
    return (
      <textarea
        {...shared}
        class="input object-text"
        rows={isList ? 3 : 8}
        spellcheck={false}
        value={isList ? value.replaceAll(ENTRY_SEPARATOR, '\n') : value}
        onInput={({ currentTarget: { value: text } }) =>
          onInput(isList ? text.split('\n').filter(Boolean).join(ENTRY_SEPARATOR) : text)
        }
      />
    )
  }
  const line = {
    ...shared,
    class: `input input-${field.holds}`,
    value,
    required: isRequired,
    readOnly: isFixed,
    placeholder: hint.startsWith('<')
      ? ''
      : hint.includes('|') && examples.length > 0
        ? examples.join(' · ')
        : hint,
    onInput: (event: InputEvent & { currentTarget: HTMLInputElement }) =>
      onInput(event.currentTarget.value),
  }
  return isSecret ? (
    <input {...line} type="password" autocomplete="new-password" />
  ) : (
    <>
      <input
        {...line}
        type="text"
        list={examples.length > 0 ? `${id}-examples` : undefined}
        autocomplete="off"
        spellcheck={false}
      />
      {examples.length > 0 && (
        <datalist id={`${id}-examples`}>
          {examples.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  )
}
