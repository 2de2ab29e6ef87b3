import { useEffect, useRef, useState } from 'preact/hooks'
import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { isAborted } from '../../../shared/api/call.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { elapsedMs } from '../../../shared/clock.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { printLength } from '../parts/print.ts'
import { EVIDENCE_TEXTS } from './texts.ts'
import { Verified } from './verified.tsx'

const T = EVIDENCE_TEXTS.verify
const TICK_MS = 1000

/** Has all that is signed compared: a long act that says how long, and can be left. */
export function VerifyPart() {
  const [startDay, setStartDay] = useState('')
  const [endDay, setEndDay] = useState('')
  const [head, setHead] = useState('')
  const [told, setTold] = useState<SdkAnswer<'verify'>>()
  const stopping = useRef<AbortController>(undefined)
  const act = useAct(() => undefined)
  // Whoever leaves the page waits no longer.
  useEffect(() => () => stopping.current?.abort(), [])
  const compare = () =>
    act.run(async () => {
      setTold(undefined)
      stopping.current = new AbortController()
      const given = Object.entries({ startDay, endDay, head }).filter(([, text]) => text !== '')
      try {
        const { signal } = stopping.current
        setTold(await runCommand('verify', Object.fromEntries(given), signal))
      } catch (error) {
        if (!isAborted(error)) throw error
      }
    })
  return (
    <section class="part">
      <p class="objects-intro">{T.intro}</p>
      <form
        class="evidence-form"
        onSubmit={(event) => {
          event.preventDefault()
          compare()
        }}
      >
        <div class="storage-two">
          <Field
            {...{ label: T.from, help: T.dayHelp, name: 'startDay', placeholder: '2026-03-01' }}
            {...{ value: startDay, onInput: setStartDay }}
          />
          <Field
            {...{ label: T.to, help: T.dayHelp, name: 'endDay', placeholder: '2026-03-31' }}
            {...{ value: endDay, onInput: setEndDay }}
          />
        </div>
        <details>
          <summary>{T.withHead}</summary>
          <label class="field">
            <span>{T.head}</span>
            <textarea
              {...{ class: 'input object-text', rows: 4, value: head }}
              onInput={(event) => setHead(event.currentTarget.value)}
            />
            <span class="field-help">{T.headHelp}</span>
          </label>
        </details>
        <div class="row wrap">
          <Button look="main" type="submit" disabled={act.isBusy}>
            {told === undefined ? T.start : T.again}
          </Button>
          {act.isBusy && (
            <>
              <Button onClick={() => stopping.current?.abort()}>{T.stop}</Button>
              <Waiting />
            </>
          )}
        </div>
      </form>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      {told !== undefined && <Verified told={told} />}
    </section>
  )
}

function Waiting() {
  const [passedMs, setPassed] = useState(0)
  useEffect(() => {
    const beganMs = elapsedMs()
    const timer = setInterval(() => setPassed(elapsedMs() - beganMs), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <span class="soft">
      <span role="status">{T.busy}</span>{' '}
      <span class="tabular">{T.soFar(printLength(passedMs))}</span>
    </span>
  )
}
