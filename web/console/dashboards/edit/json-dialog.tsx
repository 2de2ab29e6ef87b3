import { useState } from 'preact/hooks'
import type { DashboardDefinition } from '../../../../schemas/dashboards/dashboard.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { saveJson } from '../save-json.ts'
import { T } from '../texts.ts'

type JsonDialogProps = {
  readonly name: string
  readonly draft: DashboardDefinition
  readonly onTake: (definition: DashboardDefinition) => void
  readonly onClose: () => void
}

/** All of a dashboard as text. The server checks it against the schema when it is saved. */
export function JsonDialog({ name, draft, onTake, onClose }: JsonDialogProps) {
  const [text, setText] = useState(() => JSON.stringify(draft, undefined, 2))
  const [error, setError] = useState<string>()
  const take = () => {
    try {
      onTake({ ...draft, ...read(text) })
    } catch (thrown) {
      setError(`${T.edit.jsonWrong} ${thrown instanceof Error ? thrown.message : ''}`)
    }
  }
  return (
    <Dialog title={T.edit.jsonTitle(name)} onClose={onClose}>
      <p class="soft">{T.edit.jsonHelp}</p>
      <textarea
        class="input board-json"
        aria-label={T.edit.jsonTitle(name)}
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      <div class="row">
        <Button look="main" onClick={take}>
          {T.edit.take}
        </Button>
        <Button onClick={() => saveJson(`${name}.json`, draft)}>{T.exportApp}</Button>
        <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
      </div>
    </Dialog>
  )
}

/** What the page itself walks through must be lists; the rest is the server's to judge. */
function read(text: string): Partial<DashboardDefinition> {
  const value: Partial<DashboardDefinition> | null = JSON.parse(text)
  const lists = [value?.widgets ?? [], value?.variables ?? []]
  if (value === null || typeof value !== 'object' || !lists.every(Array.isArray))
    throw new Error('widgets and variables must be lists')
  for (const widget of value.widgets ?? [])
    if (typeof widget?.place !== 'object' || typeof widget.options !== 'object')
      throw new Error('each widget needs place and options')
  return value
}
