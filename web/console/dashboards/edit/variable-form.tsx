import { useState } from 'preact/hooks'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { Select } from '../../../shared/parts/select.tsx'
import { ColumnField } from '../../query-editor/column-field.tsx'
import { QueryField } from '../../query-editor/query-field.tsx'
import { T } from '../texts.ts'
import type { Variable } from '../view/choice.ts'

type VariableFormProps = {
  readonly variable: Variable
  readonly onChange: (variable: Variable) => void
  readonly onRemove: () => void
}

const KINDS = ['column', 'list', 'text'] as const

/** A value that is chosen once for all widgets. */
export function VariableForm({ variable, onChange, onRemove }: VariableFormProps) {
  const { name, label, isMultiple, value, kind } = variable
  // As it is typed: a comma at the end is no value yet.
  const [first, setFirst] = useState(value.join(', '))
  const [choices, setChoices] = useState(kind === 'list' ? variable.choices.join('\n') : '')
  return (
    <fieldset class="variable-form">
      <legend>{`$${`{${name}}`}`}</legend>
      <div class="board-form-row">
        <Field
          {...{ label: T.edit.variableName, name: 'variableName', value: name }}
          onInput={(text) => onChange({ ...variable, name: text })}
          required
        />
        <Field
          {...{ label: T.edit.variableLabel, name: 'variableLabel', value: label }}
          onInput={(text) => onChange({ ...variable, label: text })}
        />
        <Select
          {...{ label: T.edit.kind, name: 'kind', value: kind }}
          options={KINDS.map((one) => [one, T.edit.kinds[one]] as const)}
          onChoose={(chosen) => onChange(withKind(variable, chosen))}
        />
      </div>
      {kind === 'column' && (
        <div class="board-form-row">
          <ColumnField
            {...{ label: T.edit.column, name: 'column', value: variable.column }}
            onInput={(column) => onChange({ ...variable, column })}
            required
          />
          <QueryField
            {...{ label: T.edit.columnQuery, name: 'query', value: variable.query }}
            {...{ hint: '', help: '', error: undefined }}
            onInput={(query) => onChange({ ...variable, query })}
          />
        </div>
      )}
      {kind === 'list' && (
        <label class="field">
          <span class="soft">{T.edit.choices}</span>
          <textarea
            class="input"
            rows={3}
            required
            value={choices}
            onInput={({ currentTarget: { value: text } }) => {
              setChoices(text)
              onChange({ ...variable, choices: split(text, '\n') })
            }}
          />
        </label>
      )}
      <Field
        {...{ label: T.edit.first, name: 'first', value: first, help: T.edit.firstHelp }}
        onInput={(text) => {
          setFirst(text)
          onChange({ ...variable, value: isMultiple ? split(text, ',') : split(text, '\n') })
        }}
      />
      <div class="row">
        <label class="row">
          <input
            type="checkbox"
            checked={isMultiple}
            onChange={(event) => onChange({ ...variable, isMultiple: event.currentTarget.checked })}
          />
          {T.edit.isMultiple}
        </label>
        <span class="grow" />
        <Button look="plain" onClick={onRemove}>
          {T.edit.removeVariable(name)}
        </Button>
      </div>
    </fieldset>
  )
}

function split(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** What the kinds have in common stays. */
function withKind({ name, label, isMultiple, value }: Variable, kind: string): Variable {
  const common = { name, label, isMultiple, value }
  if (kind === 'list') return { kind, ...common, choices: [] }
  if (kind === 'column') return { kind, ...common, column: '', query: '*' }
  return { kind: 'text', ...common }
}
