import { useState } from 'preact/hooks'
import type { DashboardDefinition } from '../../../../schemas/dashboards/dashboard.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { SourcesField } from '../../query-editor/query-field.tsx'
import { TimeField } from '../../time/time-picker.tsx'
import { T } from '../texts.ts'
import type { Variable } from '../view/choice.ts'
import { VariableForm } from './variable-form.tsx'

type SettingsDialogProps = {
  readonly name: string
  readonly draft: DashboardDefinition
  readonly onTake: (draft: DashboardDefinition) => void
  readonly onClose: () => void
}

/** What all widgets of a dashboard have in common, and its variables. */
export function SettingsDialog({ name, draft, onTake, onClose }: SettingsDialogProps) {
  const [next, setNext] = useState(draft)
  const [seconds, setSeconds] = useState(String(draft.slideSeconds ?? ''))
  const set = (more: Partial<DashboardDefinition>) => setNext((before) => ({ ...before, ...more }))
  const { timeFrame, variables, sources } = next
  const change = (at: number, one: Variable) =>
    set({ variables: variables.map((before, place) => (place === at ? one : before)) })
  const add = () => set({ variables: [...variables, newVariable(variables)] })
  return (
    <Dialog title={T.edit.settingsTitle(name)} onClose={onClose}>
      <form
        class="board-form board-form-wide"
        onSubmit={(event) => {
          event.preventDefault()
          onTake({ ...next, slideSeconds: seconds.trim() === '' ? null : Number(seconds) })
        }}
      >
        <Field
          {...{ label: T.edit.description, name: 'description', value: next.description }}
          onInput={(description) => set({ description })}
        />
        <div class="board-form-row">
          <TimeField
            label={T.edit.timeFrame}
            times={timeFrame}
            inherited={T.edit.ofApp}
            onChoose={({ times }) => times !== undefined && set({ timeFrame: times })}
          />
          <Field
            {...{ label: T.edit.slides, name: 'slides', value: seconds, onInput: setSeconds }}
            help={T.edit.slidesHelp}
          />
        </div>
        <SourcesField
          {...{ label: T.edit.sources, name: 'sources', value: sources ?? '' }}
          {...{ hint: '', help: T.edit.sourcesHelp, error: undefined }}
          onInput={(text) => set({ sources: text.trim() === '' ? null : text })}
        />
        <h3>{T.edit.variables}</h3>
        <p class="field-help">{T.edit.variablesHelp}</p>
        {variables.map((one, at) => (
          <VariableForm
            key={`${at}`}
            variable={one}
            onChange={(changed) => change(at, changed)}
            onRemove={() => set({ variables: variables.filter((_, place) => place !== at) })}
          />
        ))}
        <div>
          <Button onClick={add}>{T.edit.addVariable}</Button>
        </div>
        <div class="row">
          <Button type="submit" look="main">
            {T.edit.take}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

function newVariable(known: readonly Variable[]): Variable {
  let count = known.length + 1
  while (known.some(({ name }) => name.toLowerCase() === `value${count}`)) count++
  const common = { name: `value${count}`, label: '', isMultiple: false, value: [] }
  return { kind: 'text', ...common }
}
