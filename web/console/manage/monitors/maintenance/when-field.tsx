import { useId, useState } from 'preact/hooks'
import type { ControlProps } from '../../objects/object-extras.ts'
import { printMoment } from '../../parts/moment.tsx'
import { MomentField } from './moment-field.tsx'
import { MAINTENANCE_TEXTS } from './texts.ts'
import '../monitors.css'

const T = MAINTENANCE_TEXTS
const TO_THE_MINUTE = 16
const KINDS = ['once', 'again'] as const
type Kind = (typeof KINDS)[number]

/** The control of `start`, which has these as well. */
export const WHEN_ARGUMENTS = ['end', 'cron', 'minutes', 'timeZone'] as const
/** Saturday night: what a window that comes again begins with. */
export const USUAL_CRON = '0 22 * * 6'
/** What a kind sets when it is picked. */
const PICKED: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  once: { cron: '' },
  again: { start: '', end: '', cron: USUAL_CRON },
}

/** What was chosen, in the form of all other times. */
function sayTimes(start: string, end: string): string {
  const print = (iso: string) => printMoment(iso).slice(0, TO_THE_MINUTE)
  const times = start === '' || end === '' ? '' : `${T.fromTo(print(start), print(end))}, `
  return T.zone(times, Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** Once, or by a schedule; picking one empties the arguments of the other. A window that has both,
 *  made by the command, shows both. */
export function WhenField({ error, form }: ControlProps) {
  const id = useId()
  const isOnce = form.read('start') !== '' || form.read('end') !== ''
  const isAgain = form.read('cron') !== ''
  const [picked, setPicked] = useState<Kind>(isAgain ? 'again' : 'once')
  const isBoth = isOnce && isAgain
  const isShown = (kind: Kind) => isBoth || kind === picked
  return (
    <fieldset class="field object-field names">
      <legend>{T.when}</legend>
      <div class="row wrap">
        {KINDS.map((kind) => (
          <label key={kind} class="flag">
            <input
              type="radio"
              name={`${id}-kind`}
              checked={!isBoth && picked === kind}
              onChange={() => {
                setPicked(kind)
                form.change(PICKED[kind])
              }}
            />
            {T.kinds[kind]}
          </label>
        ))}
      </div>
      {isShown('once') && (
        <>
          <div class="when-once">
            <MomentField
              {...{ label: T.start, name: 'start', value: form.read('start'), error }}
              onInput={(start) => form.change({ start })}
            />
            <MomentField
              {...{ label: T.end, name: 'end', value: form.read('end') }}
              error={form.faultOf('end')}
              onInput={(end) => form.change({ end })}
            />
          </div>
          <p class="field-help">{sayTimes(form.read('start'), form.read('end'))}</p>
        </>
      )}
      {isShown('again') && ['cron', 'minutes', 'timeZone'].map(form.control)}
    </fieldset>
  )
}
