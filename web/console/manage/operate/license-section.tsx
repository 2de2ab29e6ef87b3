import { useState } from 'preact/hooks'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { Section } from '../parts/section.tsx'
import { MANAGE } from '../texts.ts'
import { OPERATE_TEXTS } from './texts.ts'

const T = OPERATE_TEXTS.license
const GIB = 1024 ** 3

export function LicenseSection() {
  const asked = useAsked('license', (signal) => runCommand('license', {}, signal))
  const [text, setText] = useState('')
  const act = useAct(asked.again)
  return (
    <Section title={MANAGE.pages.license}>
      <AskedPart asked={asked}>
        {(license) => (
          <>
            {license.warning !== '' && <Banner kind="warning">{license.warning}</Banner>}
            <dl class="facts">
              <Fact name={T.serverKey} value={license.serverKey} help={T.serverKeyHelp} />
              <Fact name={T.state} value={T.states[license.state]} />
              <Fact name={T.id} value={license.id} />
              <Fact name={T.name} value={license.name} />
              <Fact
                name={T.volume}
                value={
                  license.state === 'none'
                    ? ''
                    : license.volumeBytesPerDay === 0
                      ? T.unlimited
                      : `${(license.volumeBytesPerDay / GIB).toLocaleString('en')} GiB`
                }
              />
              <Fact name={T.features} value={license.features.join(', ')} />
              <Fact name={T.begin} value={license.begin} />
              <Fact name={T.end} value={license.end} />
            </dl>
          </>
        )}
      </AskedPart>
      <form
        class="object-form"
        onSubmit={(event) => {
          event.preventDefault()
          act.run(async () => {
            await runCommand('license', { text })
            setText('')
            toast(T.installed)
          })
        }}
      >
        <label class="field">
          <span class="soft">{T.paste}</span>
          <textarea
            class="input object-text"
            rows={6}
            required
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {act.error !== undefined && (
          <p class="field-error" role="alert">
            {act.error}
          </p>
        )}
        <div class="row">
          <Button type="submit" disabled={act.isBusy || text.trim() === ''}>
            {T.install}
          </Button>
        </div>
      </form>
    </Section>
  )
}

type FactProps = { readonly name: string; readonly value: string; readonly help?: string }

function Fact({ name, value, help }: FactProps) {
  if (value === '') return null
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {value}
        {help !== undefined && <p class="field-help">{help}</p>}
      </dd>
    </>
  )
}
