import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Button } from '../../../shared/parts/button.tsx'
import { MANAGE } from '../texts.ts'
import './fields-or-text.css'

const T = MANAGE.form

type FieldsOrTextProps = {
  readonly label: string
  readonly name: string
  readonly value: string
  /** As text: what counts where nothing is typed. */
  readonly usual: string
  /** The text that it has can be shown by fields. */
  readonly isReadable: boolean
  readonly isFaulty: boolean
  /** What is wrong, or else help. */
  readonly told: (isText: boolean) => string
  readonly onInput: (value: string) => void
  /** The first of the fields has this id. */
  readonly fields: (given: { readonly id: string; readonly toldBy: string }) => ComponentChildren
  /** Beside the button that changes to the other. */
  readonly below: (isText: boolean) => ComponentChildren
}

/** One argument, asked for by fields or as the text that these write. */
export function FieldsOrText(props: FieldsOrTextProps) {
  const { label, name, value, usual, isReadable, isFaulty, onInput } = props
  const id = useId()
  const [isPicked, setPicked] = useState(false)
  const isText = isPicked || !isReadable
  const toldBy = `${id}-told`
  return (
    <div class="field object-field">
      <label for={id}>{label}</label>
      {isText ? (
        <input
          {...{ id, name, value, placeholder: usual }}
          class="input fields-text"
          aria-invalid={isFaulty}
          aria-describedby={toldBy}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        props.fields({ id, toldBy })
      )}
      <p id={toldBy} class={isFaulty ? 'field-error' : 'field-help'}>
        {props.told(isText)}
      </p>
      <div class="fields-below">
        {props.below(isText)}
        <Button look="plain" disabled={!isReadable} onClick={() => setPicked(!isText)}>
          {isText ? T.asFields : T.asText}
        </Button>
      </div>
    </div>
  )
}
