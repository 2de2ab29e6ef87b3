import { useState } from 'preact/hooks'
import { go } from '../../../shared/address.ts'
import { type App, exportApp, removeApp, removeDashboard } from '../../../shared/api/apps.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Menu } from '../../../shared/parts/menu.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { sayCron } from '../../parts/say-cron.ts'
import { AppDialog } from '../app/app-dialog.tsx'
import { AppImage } from '../app/app-image.tsx'
import { placePath } from '../place.ts'
import { saveJson } from '../save-json.ts'
import { T } from '../texts.ts'
import type { Work } from '../use-work.ts'
import { NameDialog } from './name-dialog.tsx'

type Removed = { readonly name: string; readonly text: string; readonly work: () => Promise<void> }

export function AppCard({ app, work }: { readonly app: App; readonly work: Work }) {
  const { settings, name, dashboards, mayEdit } = app
  const [removed, setRemoved] = useState<Removed>()
  const [isNaming, setNaming] = useState(false)
  const [isSetting, setSetting] = useState(false)
  const save = {
    name: T.exportApp,
    onChoose: () => work.run(async () => saveJson(`${name}.json`, await exportApp(app.id))),
  }
  const slides = {
    name: T.view.slides,
    onChoose: () => go(`${placePath(name)}?slides=1`),
  }
  const edits = [
    { name: T.app.settings, onChoose: () => setSetting(true) },
    { name: T.newDashboard, onChoose: () => setNaming(true) },
    {
      name: T.removeApp,
      onChoose: () =>
        setRemoved({
          name,
          text: T.sureApp(dashboards.length),
          work: async () => void (await removeApp(app)),
        }),
    },
  ]
  return (
    <article class={`board-card board-colour-${settings.colour}`}>
      <div class="row">
        {settings.image !== '' && <AppImage image={settings.image} name={name} />}
        <h2 class="grow">
          <a href={placePath(name)}>{name}</a>
        </h2>
        <Menu
          label="⋯"
          title={T.actsOf(name)}
          items={mayEdit ? [slides, save, ...edits] : [slides, save]}
        />
      </div>
      {settings.description !== '' && <p class="soft">{settings.description}</p>}
      {dashboards.length === 0 && <p class="soft">{T.emptyApp}</p>}
      <ul class="board-names">
        {dashboards.map((one) => (
          <li key={one.id} class="row">
            <a class="grow" href={placePath(name, one.name)}>
              {one.name}
            </a>
            {mayEdit && (
              <Menu
                label="⋯"
                title={T.actsOf(one.name)}
                items={[
                  {
                    name: T.removeDashboard,
                    onChoose: () =>
                      setRemoved({
                        name: one.name,
                        text: T.sureDashboard,
                        work: async () =>
                          void (await removeDashboard({ appId: app.id, id: one.id }, one.version)),
                      }),
                  },
                ]}
              />
            )}
          </li>
        ))}
      </ul>
      <p class="board-foot">{describeGeneration(settings.generation)}</p>
      {removed !== undefined && (
        <Dialog title={T.sure(removed.name)} onClose={() => setRemoved(undefined)}>
          <p>{removed.text}</p>
          <div class="row">
            <Button
              look="danger"
              onClick={() => {
                setRemoved(undefined)
                work.run(removed.work)
              }}
            >
              {T.removeDashboard}
            </Button>
            <Button onClick={() => setRemoved(undefined)}>{TEXTS.act.cancel}</Button>
          </div>
        </Dialog>
      )}
      {isSetting && <AppDialog {...{ app, work }} onClose={() => setSetting(false)} />}
      {isNaming && (
        <NameDialog app={app} onClose={() => setNaming(false)} onChange={() => undefined} />
      )}
    </article>
  )
}

function describeGeneration(text: string): string {
  const { generated } = T
  return text === 'never'
    ? generated.never
    : text === 'live'
      ? generated.live
      : generated.cron(sayCron(text))
}
