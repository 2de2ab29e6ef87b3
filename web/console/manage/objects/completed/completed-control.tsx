import { FormControl, type FormControlProps } from '../form-control.tsx'
import type { ShownType } from '../object-kinds.ts'
import { completeList, completeName, completeSteps } from './complete-list.ts'
import { type Named, namedBy, useNames } from './existing-names.ts'

type CompletedControlProps = FormControlProps & { readonly type: ShownType }

const NOTHING: Named = { types: [] }
const COMPLETE = { name: completeName, list: completeList, steps: completeSteps }

/** The usual field of an argument that names what exists: completed, as text. */
export function CompletedControl({ type, ...given }: CompletedControlProps) {
  const { field, value } = given
  const named = namedBy(type, field.name) ?? NOTHING
  const names = useNames(named.types, named)
  const examples = COMPLETE[named.holds ?? 'name'](value, names)
  return <FormControl {...given} field={{ ...field, examples }} />
}
