// A value chosen once for all widgets of a dashboard. In a query it stands as ${name}, where a
// value stands: it is written there in quotation marks, and the tree of the query must be the same
// with every value (docs/decisions/0074).
import { z } from 'zod'

export const VARIABLE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,39}$/
export const MAX_VARIABLES = 20
export const MAX_CHOSEN = 50
const MAX_CHOICES = 500

/** One value. */
export const variableValue = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(1000, 'must have at most 1000 characters')

const common = {
  name: z.string().regex(VARIABLE_NAME, 'must be a letter, then letters, digits and _'),
  label: z.string().trim().max(100).default(''),
  isMultiple: z.boolean().default(false).meta({ description: 'Several values may be chosen.' }),
  value: z.array(variableValue).max(MAX_CHOSEN).default([]).meta({
    description: 'Chosen at first; empty: all, the tests with the variable are left out.',
  }),
}

export const dashboardVariable = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('list'),
      ...common,
      choices: z.array(variableValue).min(1).max(MAX_CHOICES),
    }),
    z.strictObject({
      kind: z.literal('column'),
      ...common,
      column: z.string().trim().min(1).max(255),
      query: z.string().max(8192).default('*').meta({ description: 'Whose values are offered.' }),
    }),
    z.strictObject({ kind: z.literal('text'), ...common }),
  ])
  .meta({ id: 'DashboardVariable' })

/** Chosen values by name; a name that is left out has those of the dashboard. */
export const variableChoice = z
  .record(z.string().regex(VARIABLE_NAME), z.array(variableValue).max(MAX_CHOSEN))
  .refine((chosen) => Object.keys(chosen).length <= MAX_VARIABLES, 'too many variables')

export type VariableChoice = Readonly<Record<string, readonly string[]>>

/** A variable may have a name that every object has, such as `constructor`. */
export function chosenOf(chosen: VariableChoice, name: string): readonly string[] | undefined {
  return Object.hasOwn(chosen, name) ? chosen[name] : undefined
}
