import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { Pill } from '../parts/pill.tsx'
import { MANAGE } from '../texts.ts'

const T = MANAGE.own

/** Whether there is one; begun, confirmed by a code, and then the recovery codes once. */
export function OwnFactor() {
  const [begun, setBegun] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [code, setCode] = useState('')
  const shown = useAsked('second factor', (signal) =>
    runCommand('secondFactor', { action: 'show' }, signal),
  )
  const act = useAct(shown.again)
  const begin = async () => {
    const { secret = '', uri = '' } = await runCommand('secondFactor', { action: 'begin' })
    setBegun({ secret, uri })
  }
  const confirm = async () => {
    const { recoveryCodes = [] } = await runCommand('secondFactor', { action: 'confirm', code })
    setBegun(undefined)
    setCode('')
    setCodes(recoveryCodes)
  }
  const remove = async () => {
    await runCommand('secondFactor', { action: 'remove' })
    toast(T.factorRemoved)
  }
  return (
    <section class="own">
      <h2>{T.factor}</h2>
      <p class="soft">{T.factorHelp}</p>
      {begun !== undefined && (
        <form
          class="object-form"
          onSubmit={(event) => {
            event.preventDefault()
            act.run(confirm)
          }}
        >
          <p>{T.scan}</p>
          <code class="once-value">{begun.secret}</code>
          <a href={begun.uri}>{begun.uri}</a>
          <Field
            label={T.code}
            name="code"
            autocomplete="one-time-code"
            required
            autofocus
            value={code}
            onInput={setCode}
          />
          <div class="row">
            <Button type="submit" disabled={act.isBusy}>
              {T.confirm}
            </Button>
          </div>
        </form>
      )}
      {codes !== undefined && (
        <>
          <p>{T.recovery}</p>
          <pre class="once-value">{codes.join('\n')}</pre>
        </>
      )}
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      <AskedPart asked={shown}>
        {({ enabled }) => (
          <div class="row wrap">
            {begun === undefined && (
              <>
                <Pill tone={enabled === true ? 'good' : 'faint'}>
                  {enabled === true ? T.factorOn : T.factorOff}
                </Pill>
                {enabled === true ? (
                  <Button disabled={act.isBusy} onClick={() => act.run(remove)}>
                    {T.removeFactor}
                  </Button>
                ) : (
                  <Button disabled={act.isBusy} onClick={() => act.run(begin)}>
                    {T.begin}
                  </Button>
                )}
              </>
            )}
          </div>
        )}
      </AskedPart>
    </section>
  )
}
