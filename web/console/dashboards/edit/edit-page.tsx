import { useState } from 'preact/hooks'
import type { DashboardDefinition } from '../../../../schemas/dashboards/dashboard.ts'
import type { Widget } from '../../../../schemas/dashboards/widget.ts'
import type { DashboardAnswer } from '../../../../schemas/public-calls/dashboards.ts'
import { go } from '../../../shared/address.ts'
import { type App, changeDashboard, readDashboard } from '../../../shared/api/apps.ts'
import { CallError } from '../../../shared/api/call.ts'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { placePath } from '../place.ts'
import { T } from '../texts.ts'
import { describeFailure } from '../use-work.ts'
import { LiveWidget } from '../view/live-widget.tsx'
import { newWidget, withoutWidget, withPlace, withWidget } from './draft.ts'
import { EditBox } from './edit-box.tsx'
import { JsonDialog } from './json-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { WidgetForm } from './widget-form.tsx'
import './edit.css'

type EditPageProps = {
  readonly app: App
  readonly dashboard: DashboardAnswer
  readonly timeZone: string
  /** Names and what is shown may be others. */
  readonly onSaved: () => void
}

/** A draft of the dashboard; nothing is changed until it is saved. */
export function EditPage({ app, dashboard, timeZone, onSaved }: EditPageProps) {
  const [draft, setDraft] = useState<DashboardDefinition>(dashboard.definition)
  const [name, setName] = useState(dashboard.name)
  const [version, setVersion] = useState(dashboard.version)
  const [opened, setOpened] = useState<Widget>()
  const [isJson, setJson] = useState(false)
  const [isSetting, setSetting] = useState(false)
  const [error, setError] = useState<string>()
  const [theirs, setTheirs] = useState<DashboardAnswer>()
  const [isBusy, setBusy] = useState(false)
  const board = { appId: app.id, id: dashboard.id }
  const leave = (to: string) => go(placePath(app.name, to), { isNew: false })

  const save = async (seen: number) => {
    setBusy(true)
    setError(undefined)
    setTheirs(undefined)
    try {
      const saved = await changeDashboard(board, { version: seen, name, definition: draft })
      toast(T.edit.saved)
      leave(saved.name)
      onSaved()
    } catch (thrown) {
      const now = thrown instanceof CallError && thrown.status === 409 ? await readNow() : undefined
      // A name that is taken is 409 as well.
      if (now !== undefined && now.version !== seen) setTheirs(now)
      else setError(describeFailure(thrown))
    } finally {
      setBusy(false)
    }
  }
  const readNow = () => readDashboard(board).catch(() => undefined)

  return (
    <div class="boards">
      <div class="boards-head">
        <input
          class="input board-name"
          aria-label={T.edit.rename}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <span class="grow" />
        <Button onClick={() => setOpened(newWidget(draft, T.edit.newTitle))}>{T.edit.add}</Button>
        <Button onClick={() => setSetting(true)}>{T.edit.settings}</Button>
        <Button onClick={() => setJson(true)}>{T.edit.json}</Button>
        <Button look="main" disabled={isBusy} onClick={() => void save(version)}>
          {T.edit.save}
        </Button>
        <Button onClick={() => leave(dashboard.name)}>{T.edit.cancel}</Button>
      </div>
      {error !== undefined && <Banner kind="error">{error}</Banner>}
      {theirs !== undefined && (
        <Banner
          kind="warning"
          acts={
            <>
              <Button
                onClick={() => {
                  setVersion(theirs.version)
                  void save(theirs.version)
                }}
              >
                {T.edit.overwrite}
              </Button>
              <Button
                onClick={() => {
                  setDraft(theirs.definition)
                  setName(theirs.name)
                  setVersion(theirs.version)
                  setTheirs(undefined)
                }}
              >
                {T.edit.discard}
              </Button>
            </>
          }
        >
          {T.edit.conflict}
        </Banner>
      )}
      <p class="soft">{T.edit.hint}</p>
      <div class="board-grid board-grid-edited">
        {draft.widgets.map((widget) => (
          <EditBox
            key={widget.id}
            widget={widget}
            onPlace={(place) => setDraft((before) => withPlace(before, widget.id, place))}
            onOpen={() => setOpened(widget)}
            onRemove={() => setDraft((before) => withoutWidget(before, widget.id))}
          >
            <LiveWidget
              {...{ board, widget: { ...widget, place: FIXED }, timeZone }}
              question={{}}
              round="edit"
              isDraft
            />
          </EditBox>
        ))}
      </div>
      {opened !== undefined && (
        <WidgetForm
          {...{ board, widget: opened, timeZone }}
          onTake={(widget) => {
            setDraft((before) => withWidget(before, widget))
            setOpened(undefined)
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {isSetting && (
        <SettingsDialog
          {...{ name, draft }}
          onTake={(definition) => {
            setDraft(definition)
            setSetting(false)
          }}
          onClose={() => setSetting(false)}
        />
      )}
      {isJson && (
        <JsonDialog
          {...{ name, draft }}
          onTake={(definition) => {
            setDraft(definition)
            setJson(false)
          }}
          onClose={() => setJson(false)}
        />
      )}
    </div>
  )
}

/** Where it stands changes nothing of what it shows, so a move asks for nothing. */
const FIXED = { column: 0, row: 0, width: 1, height: 1 }
