// Everything that can be said against the objects of a file before anything is done.
import type { z } from 'zod'
import { describeFault, listArguments, SDK_COMMANDS } from '../../../schemas/sdk/commands.ts'
import { OBJECT_KINDS } from '../objects/kinds.ts'
import type { ObjectArguments, ObjectKind, ObjectRef } from '../objects/object-kind.ts'
import { readReference, unescapeReference } from './environment-names.ts'
import { findObject, type ObjectState, refKey } from './object-state.ts'
import type { ConfiguredObject } from './read-configuration.ts'

export type ObjectStep = ObjectRef & {
  readonly action: 'make' | 'change' | 'none' | 'remove'
  /** In the file; 0: it is not in it. */
  readonly line: number
  readonly given: ObjectArguments
}

type Checked = { readonly steps: readonly ObjectStep[]; readonly faults: readonly string[] }

const CHANGE: ObjectArguments = { update: 'true' }

export function makeArguments(kind: ObjectKind, given: ObjectArguments): ObjectArguments {
  return { ...kind.make, ...given }
}

export function changeArguments(kind: ObjectKind, given: ObjectArguments): ObjectArguments {
  return { ...(kind.change ?? CHANGE), ...given }
}

/** In the order of the file. `environment`: values of what the file names as ${env:NAME}. */
export function checkObjects(
  objects: readonly ConfiguredObject[],
  environment: Readonly<Record<string, string>>,
  state: ObjectState,
): Checked {
  const faults: string[] = []
  const steps = new Map<string, ObjectStep>()
  for (const object of objects) {
    const checked = checkObject(object, environment, state)
    if (typeof checked === 'string') {
      faults.push(checked)
      continue
    }
    const key = refKey(checked)
    const before = steps.get(key)
    if (before === undefined) steps.set(key, checked)
    else
      faults.push(
        `line ${object.line}: the ${object.type} ${checked.name} stands in line ${before.line} already`,
      )
  }
  return { steps: [...steps.values()], faults }
}

/** A text: what is wrong with it. */
function checkObject(
  object: ConfiguredObject,
  environment: Readonly<Record<string, string>>,
  state: ObjectState,
): ObjectStep | string {
  const { type, line, lines } = object
  const kind = OBJECT_KINDS[type]
  const refuse = (argument: string, reason: string) =>
    `line ${lines[argument] ?? line}, ${argument} of a ${type}: ${reason}`
  const reserved = new Set([
    ...Object.keys(kind.make ?? {}),
    ...Object.keys(kind.change ?? CHANGE),
    ...(kind.notOfIt ?? []),
  ])
  const secretNames = new Set(
    listArguments(kind.command).flatMap(({ name, isSecret }) => (isSecret === true ? name : [])),
  )
  const values = new Map<string, string>()
  const secretValues = new Map<string, string>()
  const missing: string[] = []
  for (const [name, value] of Object.entries(object.arguments)) {
    if (reserved.has(name)) return refuse(name, 'is not part of a configuration')
    const reference = readReference(value)
    if (!secretNames.has(name)) {
      if (reference !== undefined)
        return refuse(
          name,
          `only secrets are taken from the environment; a text of this form is written $${value}`,
        )
      values.set(name, unescapeReference(value))
    } else {
      const secret =
        reference === undefined ? unescapeReference(value) : readValue(environment, reference)
      if (secret !== undefined) secretValues.set(name, secret)
      else missing.push(refuse(name, `the environment variable ${reference} is not set`))
    }
  }
  const given = Object.fromEntries(values)
  const secrets = Object.fromEntries(secretValues)
  const changed = checkArguments(kind, changeArguments(kind, given))
  if ('argument' in changed) return refuse(changed.argument, changed.reason)
  const name = kind.nameOf(given)
  const existing = findObject(state, { type, name })
  if (existing !== undefined) {
    const isSame = hasValues(kind, existing.arguments, changed.values, Object.keys(given))
    if (isSame || existing.isReplaceable !== true)
      return { type, name: existing.name, action: isSame ? 'none' : 'change', line, given }
  }
  if (missing[0] !== undefined) return missing[0]
  const made = checkArguments(kind, makeArguments(kind, { ...given, ...secrets }))
  if ('argument' in made) return refuse(made.argument, made.reason)
  return { type, name, action: 'make', line, given: { ...given, ...secrets } }
}

function readValue(environment: Readonly<Record<string, string>>, name: string) {
  return Object.hasOwn(environment, name) ? environment[name] : undefined
}

type Values = Readonly<Record<string, unknown>>

function checkArguments(kind: ObjectKind, given: ObjectArguments) {
  const input: z.ZodObject = SDK_COMMANDS[kind.command].input
  const parsed = input.safeParse(given)
  if (!parsed.success) return describeFault(given, parsed.error)
  const values: Values = parsed.data
  return { values }
}

/** Whether it has these values already, in whatever way they are written. */
function hasValues(
  kind: ObjectKind,
  existing: ObjectArguments,
  wanted: Values,
  names: readonly string[],
): boolean {
  const present = checkArguments(kind, changeArguments(kind, existing))
  if ('argument' in present) return false
  return names.every(
    (name) => JSON.stringify(present.values[name]) === JSON.stringify(wanted[name]),
  )
}
