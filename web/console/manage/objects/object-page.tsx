import { useState } from 'preact/hooks'
import { address, go } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { Button } from '../../../shared/parts/button.tsx'
import { Tabs } from '../../../shared/parts/tabs.tsx'
import { saveFile } from '../../../shared/save-file.ts'
import { useAct } from '../../../shared/use-act.ts'
import { withParameters } from '../../../shared/with-parameters.ts'
import { MANAGE } from '../texts.ts'
import { removeObjects } from './change-objects.ts'
import { DuplicateDialog } from './dialogs/duplicate-dialog.tsx'
import { OnceDialog } from './dialogs/once-dialog.tsx'
import { SureDialog } from './dialogs/sure-dialog.tsx'
import { type ListedObject, mayChoose } from './listed-object.ts'
import type { ObjectExtras } from './object-extras.ts'
import { ObjectForm } from './object-form.tsx'
import type { ShownKind } from './object-kinds.ts'
import './object-page.css'

const T = MANAGE.form
/** The first tab. */
const SETTINGS = 'settings'

type ObjectPageProps = {
  readonly kind: ShownKind
  readonly base: string
  readonly extras: ObjectExtras
  /** Undefined: a new one, or one that is not there. */
  readonly object: ListedObject | undefined
  readonly isNew: boolean
  readonly onChanged: () => void
}

type Shown = 'sure' | 'duplicate' | undefined

export function ObjectPage(props: ObjectPageProps) {
  const { kind, base, extras, object, isNew, onChanged } = props
  const { one, many } = MANAGE.types[kind.type]
  const [once, setOnce] = useState<Readonly<Record<string, string>>>()
  const [shown, setShown] = useState<Shown>()
  const act = useAct(onChanged)
  const isFixed = object?.isFixed === true
  const tabs = isFixed ? [] : (extras.tabs ?? [])
  const tab = tabs.find(({ name }) => name === address.value.parameters.get('tab'))
  const toList = () => go(base)
  if (once !== undefined)
    return <OnceDialog shownOnce={once} onClose={toList} isListener={kind.type === 'listener'} />
  if (!isNew && object === undefined)
    return (
      <div class="object">
        <WayBack {...{ base, many }} />
        <div class="object-head">
          <h1>{address.value.parameters.get('item')}</h1>
        </div>
        <p>{T.gone(one)}</p>
      </div>
    )
  const name = object?.name ?? ''
  return (
    <div class="object">
      <WayBack {...{ base, many }} />
      <div class="object-head">
        <h1>{object?.name ?? T.make(one)}</h1>
        {object !== undefined && (
          <div class="object-changes">
            {kind.type === 'user' && (
              <a class="button button-plain" href={withParameters(base, { view: name })}>
                {MANAGE.userView.ask(name)}
              </a>
            )}
            <Button look="plain" onClick={() => setShown('duplicate')}>
              {T.duplicate}
            </Button>
            <Button
              look="plain"
              onClick={() =>
                act.run(async () => {
                  const file = await runCommand('exportObject', { type: kind.type, name })
                  saveFile(`${name}.yaml`, file)
                })
              }
            >
              {T.export}
            </Button>
            {mayChoose(object) && (
              <Button look="plain" onClick={() => setShown('sure')}>
                {T.remove}
              </Button>
            )}
          </div>
        )}
      </div>
      {act.error !== undefined && (
        <p class="field-error" role="alert">
          {act.error}
        </p>
      )}
      {isFixed && <p class="soft">{T.fixed}</p>}
      {object !== undefined && extras.Head !== undefined && !isFixed && (
        <extras.Head object={object} onChanged={onChanged} />
      )}
      {object !== undefined && tabs.length > 0 && (
        <Tabs
          label={object.name}
          tabs={[{ name: SETTINGS, text: T.settings }, ...tabs]}
          chosen={tab?.name ?? SETTINGS}
          onChoose={(chosen) =>
            go(
              withParameters(base, {
                item: object.name,
                tab: chosen === SETTINGS ? '' : chosen,
              }),
            )
          }
        />
      )}
      {object !== undefined && tab !== undefined ? (
        <tab.Content object={object} onChanged={onChanged} />
      ) : (
        <ObjectForm
          kind={kind}
          extras={extras}
          object={object}
          onDone={(made, shownOnce) => {
            onChanged()
            if (shownOnce !== undefined) setOnce(shownOnce)
            else if (isNew && tabs.length > 0) go(withParameters(base, { item: made }))
            else toList()
          }}
        />
      )}
      {shown === 'sure' && object !== undefined && (
        <SureDialog
          kind={kind}
          names={[name]}
          onClose={() => setShown(undefined)}
          onSure={() => {
            setShown(undefined)
            act.run(async () => {
              await removeObjects(kind, [object])
              toList()
            })
          }}
        />
      )}
      {shown === 'duplicate' && (
        <DuplicateDialog
          type={kind.type}
          name={name}
          onClose={() => setShown(undefined)}
          onDone={(newName, shownOnce) => {
            setShown(undefined)
            onChanged()
            if (shownOnce === undefined) go(withParameters(base, { item: newName }))
            else setOnce(shownOnce)
          }}
        />
      )}
    </div>
  )
}

type WayBackProps = { readonly base: string; readonly many: string }

/** To the list that an object is of. */
export function WayBack({ base, many }: WayBackProps) {
  return (
    <nav class="object-way">
      <a href={base}>‹ {many}</a>
    </nav>
  )
}
