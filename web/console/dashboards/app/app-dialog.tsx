import { useState } from 'preact/hooks'
import { type App, changeApp } from '../../../shared/api/apps.ts'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { Select } from '../../../shared/parts/select.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { SourcesField } from '../../query-editor/query-field.tsx'
import { TimeField } from '../../time/time-picker.tsx'
import { T } from '../texts.ts'
import { useWork, type Work } from '../use-work.ts'
import { AppImage } from './app-image.tsx'

type AppDialogProps = {
  readonly app: App
  /** Its end reads the apps anew. */
  readonly work: Work
  readonly onClose: () => void
}

type Settings = App['settings']
type Colour = Settings['colour']

const MAX_IMAGE_BYTES = 36 * 1024
const DEFAULT_CRON = '*/15 * * * *'

/** What an app gives to its dashboards: colour and image, time, logs, and when results are made. */
export function AppDialog({ app, work, onClose }: AppDialogProps) {
  const [name, setName] = useState(app.name)
  const [settings, setSettings] = useState(app.settings)
  const [fault, setFault] = useState<string>()
  const saving = useWork(() => {
    onClose()
    work.run(async () => undefined)
  })
  const set = (more: Partial<Settings>) => setSettings((before) => ({ ...before, ...more }))
  const { timeFrame, generation } = settings
  const schedule = generation === 'never' || generation === 'live' ? generation : 'cron'
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > MAX_IMAGE_BYTES) return setFault(T.app.imageLarge)
    const bytes = new Uint8Array(await file.arrayBuffer())
    setFault(undefined)
    set({ image: `data:${file.type};base64,${btoa(String.fromCharCode(...bytes))}` })
  }
  return (
    <Dialog title={T.app.title(app.name)} onClose={onClose}>
      <form
        class="board-form"
        onSubmit={(event) => {
          event.preventDefault()
          const { id, version } = app
          saving.run(async () => void (await changeApp(id, { version, name, settings })))
        }}
      >
        <Field {...{ label: T.name, name: 'name', value: name, onInput: setName }} required />
        <Field
          {...{ label: T.app.description, name: 'description', value: settings.description }}
          onInput={(description) => set({ description })}
        />
        <div class="board-form-row">
          <Select
            {...{ label: T.app.colour, name: 'colour', value: settings.colour }}
            options={COLOURS.map((one) => [one, T.app.colours[one]] as const)}
            onChoose={(value) => set({ colour: COLOURS.find((one) => one === value) ?? 'blue' })}
          />
          <TimeField
            label={T.app.time}
            times={timeFrame}
            onChoose={({ times }) => times && set({ timeFrame: times })}
          />
        </div>
        <label class="field">
          <span class="soft">{T.app.image}</span>
          <span class="row">
            {settings.image !== '' && <AppImage image={settings.image} name={name} />}
            <input
              type="file"
              accept="image/png,image/jpeg,image/webp"
              onChange={(event) => void take(event.currentTarget.files?.[0])}
            />
            {settings.image !== '' && (
              <Button onClick={() => set({ image: '' })}>{T.app.noImage}</Button>
            )}
          </span>
          <span class={fault === undefined ? 'field-help' : 'field-error'}>
            {fault ?? T.app.imageHelp}
          </span>
        </label>
        <SourcesField
          {...{ label: T.app.sources, name: 'sources', value: settings.sources }}
          {...{ hint: '', help: T.app.sourcesHelp, error: undefined }}
          onInput={(sources) => set({ sources })}
        />
        <div class="board-form-row">
          <Select
            {...{ label: T.app.generation, name: 'generation', value: schedule }}
            options={SCHEDULES.map((one) => [one, T.app.generations[one]] as const)}
            onChoose={(value) => set({ generation: value === 'cron' ? DEFAULT_CRON : value })}
          />
          <Field
            {...{ label: T.app.zone, name: 'timeZone', value: settings.timeZone }}
            help={T.app.zoneHelp}
            onInput={(timeZone) => set({ timeZone })}
          />
        </div>
        {schedule === 'cron' && (
          <Field
            {...{ label: T.app.cron, name: 'cron', value: generation, help: T.app.cronHelp }}
            onInput={(text) => set({ generation: text })}
            required
          />
        )}
        {saving.error !== undefined && <Banner kind="error">{saving.error}</Banner>}
        <div class="row">
          <Button type="submit" look="main" disabled={saving.isBusy}>
            {T.edit.save}
          </Button>
          <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
        </div>
      </form>
    </Dialog>
  )
}

const SCHEDULES = ['never', 'live', 'cron'] as const
const COLOURS: readonly Colour[] = [
  ...(['blue', 'teal', 'green', 'amber', 'orange', 'red', 'violet', 'grey'] as const),
]
