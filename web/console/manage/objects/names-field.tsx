import type { ComponentType } from 'preact'
import { useId } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { toWords } from '../parts/words.ts'
import { printNames, readNames } from './name-list.ts'
import type { ControlProps } from './object-extras.ts'
import type { ShownType } from './object-kinds.ts'

/** Objects of one type, each by a tick; as text where they cannot be listed. */
export function makeNamesField(type: ShownType): ComponentType<ControlProps> {
  return function NamesField({ field, value, error, onInput, form }: ControlProps) {
    const id = useId()
    const { answer, error: failure } = useAsked(`names ${type}`, async (signal) => {
      const { objects } = await runCommand('list', { type }, signal)
      return objects.map(({ name }) => name)
    })
    if (failure !== undefined || answer?.length === 0) return form.usual(field.name)
    const listed = answer ?? []
    const chosen = readNames(value)
    const fold = (name: string) => name.toLowerCase()
    const isChosen = (name: string) => chosen.some((one) => fold(one) === fold(name))
    // What is named and is not there stays in sight.
    const known = new Set(listed.map(fold))
    const names = [...listed, ...chosen.filter((one) => !known.has(fold(one)))]
    const toggle = (name: string) =>
      onInput(
        printNames(
          isChosen(name) ? chosen.filter((one) => fold(one) !== fold(name)) : [...chosen, name],
        ),
      )
    return (
      <fieldset
        class="field object-field names"
        disabled={answer === undefined}
        aria-describedby={`${id}-told`}
      >
        <legend>{toWords(field.name)}</legend>
        <div class="names-list">
          {names.map((name) => (
            <label key={name} class="flag">
              <input
                type="checkbox"
                name={field.name}
                checked={isChosen(name)}
                onChange={() => toggle(name)}
              />
              {name}
            </label>
          ))}
        </div>
        <p id={`${id}-told`} class={error === undefined ? 'field-help' : 'field-error'}>
          {error ?? field.help}
        </p>
      </fieldset>
    )
  }
}
