import { FormControl, type FormControlProps } from '../form-control.tsx'
import type { ShownType } from '../object-kinds.ts'
import { completeList, completeName } from './complete-list.ts'
import { namedBy, useNames } from './existing-names.ts'

type CompletedControlProps = FormControlProps & { readonly type: ShownType }

const NONE: readonly ShownType[] = []

/** The usual field of an argument that names what exists: completed, as text. */
export function CompletedControl({ type, ...given }: CompletedControlProps) {
  const { field, value } = given
  const named = namedBy(type, field.name)
  const names = useNames(named?.types ?? NONE)
  const complete = named?.isList === true ? completeList : completeName
  const examples = complete(value, names)
  return <FormControl {...given} field={{ ...field, examples }} />
}
