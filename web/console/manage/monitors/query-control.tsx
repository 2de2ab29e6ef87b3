import { ColumnField } from '../../query-editor/column-field.tsx'
import { QueryField, SourcesField } from '../../query-editor/query-field.tsx'
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

export function SourcesControl({ field, value, error, onInput }: ControlProps) {
  const { name, hint, help } = field
  return (
    <div class="object-field">
      <SourcesField {...{ label: toWords(name), name, value, hint, help, error, onInput }} />
    </div>
  )
}

export function ColumnControl({ field, value, error, onInput }: ControlProps) {
  const { name, hint, help } = field
  return (
    <div class="object-field">
      <ColumnField {...{ label: toWords(name), name, value, hint, help, error, onInput }} />
    </div>
  )
}
