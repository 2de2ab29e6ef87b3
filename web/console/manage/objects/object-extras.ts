// What the page of a type has beside the form and the list of all types.
import type { ComponentChildren, ComponentType, JSX } from 'preact'
import type { Rank } from '../../../shared/sort/sort.ts'
import type { FormField } from './form-fields.ts'
import type { ListedObject } from './listed-object.ts'
import type { ShownType } from './object-kinds.ts'

/** A column of the list that comes from elsewhere; `of` undefined: not known yet. `rankOf`: what
 *  the list is ordered by, where its head is clicked. */
export type ExtraColumn = {
  readonly name: string
  readonly of: (name: string, given: ListedObject['arguments']) => ComponentChildren
  readonly rankOf: (name: string, given: ListedObject['arguments']) => Rank
}

export type ExtraProps = {
  readonly object: ListedObject
  readonly onChanged: () => void
}

/** Of one argument in the form. */
export type ControlProps = {
  readonly field: FormField
  readonly value: string
  readonly error: string | undefined
  readonly onInput: (value: string) => void
  /** For a control that has several arguments. */
  readonly form: FormAround
}

/** Beside the form, of what is typed in it. */
export type BesideProps = {
  readonly form: Pick<FormAround, 'read' | 'faultOf'>
  /** Undefined: a new one. */
  readonly object: ListedObject | undefined
}

export type FormAround = {
  readonly read: (argument: string) => string
  readonly change: (values: Readonly<Record<string, string>>) => void
  readonly faultOf: (argument: string) => string | undefined
  /** Its usual field. */
  readonly usual: (argument: string) => JSX.Element | null
  /** The one that stands for it in this form, which may be another. */
  readonly control: (argument: string) => JSX.Element | null
}

/** What is wrong with an argument beside the others. */
export type Misfit = { readonly argument: string; readonly reason: string }

export type FormPart = { readonly title: string; readonly names: readonly string[] }

export type ObjectTab = {
  /** In the address. */
  readonly name: string
  readonly text: string
  readonly Content: ComponentType<ExtraProps>
}

export type ObjectExtras = {
  /** A hook: called whenever the list is drawn. */
  readonly useColumns?: () => readonly ExtraColumn[]
  /** Below the list. */
  readonly Below?: ComponentType
  /** Above the tabs of one. */
  readonly Head?: ComponentType<ExtraProps>
  /** Behind that of the settings. */
  readonly tabs?: readonly ObjectTab[]
  /** Headings of the form, and the arguments below each; others stand behind the last. */
  readonly parts?: readonly FormPart[]
  /** By argument: in place of the usual field of its form. */
  readonly controls?: Readonly<Record<string, ComponentType<ControlProps>>>
  /** Arguments that such a control has beside its own. */
  readonly within?: readonly string[]
  /** By argument: what its field says in place of the words of the command. */
  readonly help?: Readonly<Record<string, string>>
  readonly Beside?: ComponentType<BesideProps>
  /** Of the whole form as it is typed; undefined: they go together. */
  readonly findMisfit?: (read: (argument: string) => string) => Misfit | undefined
}

export type ExtrasOf = { readonly [Type in ShownType]?: ObjectExtras }

export const NO_EXTRAS: ObjectExtras = {}
