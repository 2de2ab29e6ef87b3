import { useState } from 'preact/hooks'
import { isSettingName, SETTING_NAMES, SETTINGS } from '../../../../schemas/settings.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { useAct } from '../../../shared/use-act.ts'
import { sayHelp } from '../parts/help-text.ts'
import { Section } from '../parts/section.tsx'
import { settingWords, toWords } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'

const T = MANAGE.settings
const areaOf = (name: string) => name.split('.')[0] ?? name
const AREAS = [...new Set(SETTING_NAMES.map(areaOf))]

/** Every product setting, each saved by itself. */
export function SettingsSection() {
  const asked = useAsked('settings', (signal) => runCommand('settings', { list: 'true' }, signal))
  return (
    <Section title={MANAGE.pages.settings}>
      <AskedPart asked={asked}>
        {(values) => (
          <div class="settings">
            {AREAS.map((area) => (
              <section key={area} aria-label={toWords(area)}>
                <h2>{toWords(area)}</h2>
                {SETTING_NAMES.filter((name) => areaOf(name) === area).map((name) => (
                  <Setting
                    key={name}
                    name={name}
                    value={values[name] ?? ''}
                    onChanged={asked.again}
                  />
                ))}
              </section>
            ))}
          </div>
        )}
      </AskedPart>
    </Section>
  )
}

type SettingProps = {
  readonly name: string
  readonly value: string
  readonly onChanged: () => void
}

function Setting({ name, value, onChanged }: SettingProps) {
  const [typed, setTyped] = useState<string>()
  const act = useAct(onChanged)
  if (!isSettingName(name)) return null
  const entry = SETTINGS[name]
  const isSecret = 'isSecret' in entry
  const isFlag = entry.default === 'true' || entry.default === 'false'
  const now = typed ?? value
  const fault =
    typed === undefined ? undefined : entry.value.safeParse(typed).error?.issues[0]?.message
  const save = (given: Readonly<Record<string, string>>) =>
    act.run(async () => {
      const notes = await runCommand('settings', given)
      setTyped(undefined)
      toast(notes.notes ?? T.saved)
    })
  const help = sayHelp({ description: entry.help, look: isFlag ? 'flag' : 'line', names: [] })
  const argument = name.slice(name.indexOf('.') + 1)
  return (
    <form
      class="setting"
      onSubmit={(event) => {
        event.preventDefault()
        save(isSecret ? { [argument]: now } : { set: `${name}=${now}` })
      }}
    >
      {isFlag ? (
        <div class="field">
          <label class="flag">
            <input
              type="checkbox"
              name={name}
              checked={now === 'true'}
              onChange={(event) => setTyped(String(event.currentTarget.checked))}
            />
            {settingWords(name)}
          </label>
          <p class={act.error === undefined ? 'field-help' : 'field-error'}>
            {act.error ?? help} <code>{name}</code>
          </p>
        </div>
      ) : (
        <Field
          label={settingWords(name)}
          name={name}
          type={isSecret ? 'password' : 'text'}
          value={now}
          help={
            <>
              {isSecret ? `${help} ${T.secret}` : help} <code>{name}</code>
            </>
          }
          error={fault ?? act.error}
          onInput={setTyped}
        />
      )}
      <div class="row">
        <Button
          type="submit"
          disabled={act.isBusy || fault !== undefined || typed === undefined || typed === value}
        >
          {MANAGE.form.save}
        </Button>
        {value !== entry.default && (
          <Button look="plain" disabled={act.isBusy} onClick={() => save({ reset: name })}>
            {T.reset}
          </Button>
        )}
      </div>
    </form>
  )
}
