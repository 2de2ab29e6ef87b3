import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { address } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { asSentence } from '../../../shared/tell-failure.ts'
import { useAct } from '../../../shared/use-act.ts'
import { refusedArgument } from '../parts/refused-argument.ts'
import { PatternTrial } from '../templates/pattern-trial.tsx'
import { MANAGE } from '../texts.ts'
import { CompletedControl } from './completed/completed-control.tsx'
import { namedBy } from './completed/existing-names.ts'
import { FormControl } from './form-control.tsx'
import { type FormField, faultOf, fieldsOf, readGiven } from './form-fields.ts'
import type { ListedObject } from './listed-object.ts'
import type { FormAround, ObjectExtras } from './object-extras.ts'
import type { ShownKind } from './object-kinds.ts'
import './object-beside.css'

const T = MANAGE.form
/** Keys of answers that are shown once. */
const ONCE = ['token']
/** As long as it takes to read them. */
const NOTES_MS = 15_000
/** Arguments that hold patterns, by type. */
const PATTERNED: Readonly<Record<string, string>> = {
  template: 'patterns',
  listener: 'pattern',
  log: 'pattern',
}

type ObjectFormProps = {
  readonly kind: ShownKind
  readonly extras: ObjectExtras
  /** Undefined: a new one. */
  readonly object: ListedObject | undefined
  readonly onDone: (name: string, shownOnce: Readonly<Record<string, string>> | undefined) => void
}

/** Only what was changed is sent: nobody undoes what another person has set meanwhile. */
export function ObjectForm({ kind, extras, object, onDone }: ObjectFormProps) {
  const isNew = object === undefined
  const fields = useMemo(
    () =>
      fieldsOf(kind)
        .filter(({ name }) => isNew || !kind.onTabs.includes(name))
        .map((field) => ({ ...field, help: extras.help?.[field.name] ?? field.help })),
    [kind, isNew],
  )
  const before = object?.arguments ?? {}
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() =>
    isNew ? readGiven(address.value.parameters, fields) : {},
  )
  const [isNothing, setNothing] = useState(false)
  /** Of what the server has refused last. */
  const [isMended, setMended] = useState(false)
  const act = useAct(() => undefined)
  const read = (name: string) => typed[name] ?? before[name] ?? ''
  const faults = new Map(
    Object.entries(typed).flatMap(([name, value]) => {
      const fault =
        value === '' && before[name] === undefined ? undefined : faultOf(kind, name, value)
      return fault === undefined ? [] : [[name, fault] as const]
    }),
  )
  const misfit = faults.size > 0 ? undefined : extras.findMisfit?.(read)
  if (misfit !== undefined) faults.set(misfit.argument, asSentence(misfit.reason))
  const refusal = readRefusal(act.error, fields)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (refusal === undefined) return
    // Of several with one name, such as boxes to tick, the first.
    const named = `[name="${CSS.escape(refusal.argument)}"]`
    form.current?.querySelector<HTMLElement>(named)?.focus()
  }, [act.error])
  const asked = fields.filter(({ name, isRequired }) => kind.named.includes(name) || isRequired)
  const within = extras.within ?? []
  const others = fields.filter((one) => !asked.includes(one) && !within.includes(one.name))
  const inParts = (extras.parts ?? []).flatMap(({ names }) => names)
  const name = read(kind.named[0] ?? 'name')

  const submit = async () => {
    const changed = Object.fromEntries(
      Object.entries(typed).filter(([one, value]) => value !== (before[one] ?? '')),
    )
    if (!isNew && Object.keys(changed).length === 0) {
      setNothing(true)
      return
    }
    const named = Object.fromEntries(asked.map((field) => [field.name, read(field.name)]))
    const given = { ...onlyGiven(named), ...changed, ...(isNew ? kind.make : kind.change) }
    const answer: unknown = await runCommand(kind.command, given)
    const notes = findNotes(answer)
    const said = isNew ? T.made(name) : T.saved(name)
    toast([said, ...notes].join(' '), notes.length === 0 ? undefined : NOTES_MS)
    onDone(name, findOnce(answer))
  }

  const shownFault = (name: string) =>
    faults.get(name) ?? (!isMended && refusal?.argument === name ? refusal.reason : undefined)
  const change = (values: Readonly<Record<string, string>>) => {
    setNothing(false)
    if (refusal !== undefined && refusal.argument in values) setMended(true)
    setTyped((now) => ({ ...now, ...values }))
  }
  const shownOf = (field: FormField) => ({
    ...{ field, value: read(field.name), error: shownFault(field.name) },
    onInput: (value: string) => change({ [field.name]: value }),
  })
  const usual = (field: FormField) => {
    const isFixed = !isNew && kind.named.includes(field.name)
    const isKept = object?.secrets.includes(field.name) ?? false
    const shown = { ...shownOf(field), isFixed, isKept }
    return isFixed || namedBy(kind.type, field.name) === undefined ? (
      <FormControl key={field.name} {...shown} />
    ) : (
      <CompletedControl key={field.name} {...shown} type={kind.type} />
    )
  }
  const drawn = (argument: string, draw: (field: FormField) => JSX.Element) => {
    const field = fields.find((one) => one.name === argument)
    return field === undefined ? null : draw(field)
  }
  const around: FormAround = {
    ...{ read, change, faultOf: shownFault },
    usual: (argument) => drawn(argument, usual),
    control: (argument) => drawn(argument, control),
  }
  const control = (field: FormField) => {
    const Own = extras.controls?.[field.name]
    return Own === undefined ? (
      usual(field)
    ) : (
      <Own key={field.name} {...shownOf(field)} form={around} />
    )
  }

  const shown = (
    <form
      ref={form}
      class="object-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (faults.size > 0 || object?.isFixed === true) return
        setMended(false)
        act.run(submit)
      }}
    >
      {asked.map(control)}
      {(extras.parts ?? []).map(({ title, names }) => (
        <section key={title} class="object-part" aria-label={title}>
          <h2 class="form-part">{title}</h2>
          {names.flatMap((name) => others.filter((field) => field.name === name)).map(control)}
        </section>
      ))}
      {others.filter(({ name }) => !inParts.includes(name)).map(control)}
      {act.error !== undefined && refusal === undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      {isNothing && <p class="soft">{T.unchanged}</p>}
      {PATTERNED[kind.type] !== undefined && (
        <PatternTrial
          patterns={read(PATTERNED[kind.type] ?? '')}
          onSuggest={(patterns) => setTyped({ ...typed, [PATTERNED[kind.type] ?? '']: patterns })}
        />
      )}
      {object?.isFixed !== true && (
        <div class="row object-acts">
          <Button look="main" type="submit" disabled={act.isBusy || faults.size > 0}>
            {isNew ? T.create : T.save}
          </Button>
        </div>
      )}
    </form>
  )
  if (extras.Beside === undefined) return shown
  return (
    <div class="object-beside">
      {shown}
      <extras.Beside form={around} object={object} />
    </div>
  )
}

/** Undefined: it is not of one field of the form. */
function readRefusal(error: string | undefined, fields: readonly FormField[]) {
  const refused = refusedArgument(error ?? '')
  return refused !== undefined && fields.some(({ name }) => name === refused.argument)
    ? { argument: refused.argument, reason: asSentence(refused.reason) }
    : undefined
}

function onlyGiven(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
}

function findOnce(answer: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined
  const found = Object.entries(answer).flatMap(([name, value]) =>
    ONCE.includes(name) && typeof value === 'string' ? [[name, value] as const] : [],
  )
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** What the answer has to say beside that it is done. */
function findNotes(answer: unknown): readonly string[] {
  if (typeof answer !== 'object' || answer === null || !('notes' in answer)) return []
  const { notes } = answer
  return Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : []
}
