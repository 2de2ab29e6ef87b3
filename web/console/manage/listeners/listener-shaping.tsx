import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { searchHistogram } from '../../../shared/api/search.ts'
import { printCount, printPercent } from '../../../shared/format.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { faultOf, fieldsOf } from '../objects/form-fields.ts'
import type { ExtraProps } from '../objects/object-extras.ts'
import { SHAPING_ARGUMENTS, SHOWN_KINDS } from '../objects/object-kinds.ts'
import { LISTENER_TEXTS } from './texts.ts'
import { TokenPart } from './token-part.tsx'

const T = LISTENER_TEXTS
const KIND = SHOWN_KINDS.listener
const HELP = new Map(fieldsOf(KIND).map(({ name, help }) => [name, help]))
const DAY = 'last24Hours'
const DEFAULTS: Readonly<Record<string, string>> = { sampledPercent: '100' }

type Name = (typeof SHAPING_ARGUMENTS)[number]

/** Drop filter, sampling, limits, addresses; and a new token. */
export function ListenerShaping({ object, onChanged }: ExtraProps) {
  const { name, arguments: before } = object
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const act = useAct(() => undefined)
  const read = (one: Name) => typed[one] ?? before[one] ?? DEFAULTS[one] ?? ''
  const changed = SHAPING_ARGUMENTS.filter(
    (one) => read(one) !== (before[one] ?? DEFAULTS[one] ?? ''),
  )
  const faults = new Map(
    changed.flatMap((one) => {
      const fault = faultOf(KIND, one, sentOf(one, read(one)))
      return fault === undefined ? [] : [[one, fault] as const]
    }),
  )
  const save = () =>
    act.run(async () => {
      const given = Object.fromEntries(changed.map((one) => [one, sentOf(one, read(one))]))
      await runCommand('addListener', { name, update: 'true', ...given })
      toast(T.saved)
      setTyped({})
      onChanged()
    })
  const field = (one: Name) => (
    <Field
      key={one}
      label={T.fields[one]}
      help={HELP.get(one)}
      name={one}
      value={read(one) === '0' && isLimit(one) ? '' : read(one)}
      placeholder={isLimit(one) ? T.noLimit : ''}
      error={faults.get(one)}
      onInput={(value) => setTyped({ ...typed, [one]: value === '' && isLimit(one) ? '0' : value })}
    />
  )
  return (
    <>
      <p class="soft">{T.intro}</p>
      <form
        class="object-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (faults.size === 0) save()
        }}
      >
        <h2 class="form-part">{T.stores}</h2>
        {field('dropFilter')}
        <DropTrial filter={read('dropFilter')} folder={before.parentFolder ?? ''} />
        {field('sampledPercent')}
        <h2 class="form-part">{T.takes}</h2>
        {field('maxEventsPerSecond')}
        {field('maxBytesPerSecond')}
        {field('maxBytesPerDay')}
        <h2 class="form-part">{T.from}</h2>
        {field('allowedAddresses')}
        {act.error !== undefined && (
          <p class="field-error" role="alert">
            {act.error}
          </p>
        )}
        <div class="row">
          <Button
            look="main"
            type="submit"
            disabled={act.isBusy || faults.size > 0 || changed.length === 0}
          >
            {T.save}
          </Button>
        </div>
      </form>
      <TokenPart name={name} />
    </>
  )
}

function isLimit(name: Name): boolean {
  return name.startsWith('max')
}

/** What is left out of a limit is no limit. */
function sentOf(name: Name, value: string): string {
  return value === '' ? (isLimit(name) ? '0' : (DEFAULTS[name] ?? '')) : value
}

/** How many stored events of its folder the filter selects: what it would have dropped. */
function DropTrial({ filter, folder }: { readonly filter: string; readonly folder: string }) {
  const [told, setTold] = useState<{ filter: string; text: string }>()
  const act = useAct(() => undefined)
  if (filter.trim() === '') return null
  const scope = `in folder.${folder}`
  const count = (query: string) =>
    searchHistogram({ query, interval: DAY, buckets: 1 }).then(({ total }) => total)
  const run = () =>
    act.run(async () => {
      const [all, dropped] = await Promise.all([count(`* ${scope}`), count(`(${filter}) ${scope}`)])
      const text =
        all === 0
          ? T.noEvent(folder)
          : T.dropped(printCount(dropped), printCount(all), printPercent(dropped / all), folder)
      setTold({ filter, text })
    })
  return (
    <div class="row wrap">
      <Button disabled={act.isBusy} onClick={run}>
        {T.try}
      </Button>
      <span role="status">{told?.filter === filter && told.text}</span>
      {act.error !== undefined && (
        <span class="field-error" role="alert">
          {act.error}
        </span>
      )}
    </div>
  )
}
