import { useEffect, useRef, useState } from 'preact/hooks'
import type { VisualType, Widget } from '../../../../schemas/dashboards/widget.ts'
import type { AppsAnswer } from '../../../../schemas/public-calls/dashboards.ts'
import { FIXED_INTERVALS } from '../../../../schemas/time/time-window.ts'
import {
  addApp,
  addDashboard,
  changeDashboard,
  listApps,
  readDashboard,
} from '../../../shared/api/apps.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Dialog } from '../../../shared/parts/dialog.tsx'
import { Field } from '../../../shared/parts/field.tsx'
import { Select } from '../../../shared/parts/select.tsx'
import { TEXTS } from '../../../shared/texts.ts'
import { useAct } from '../../../shared/use-act.ts'
import { newWidget } from '../../dashboards/edit/draft.ts'
import { placePath } from '../../dashboards/place.ts'
import type { SearchView } from '../run/view.ts'
import { T } from '../texts.ts'

type ToDashboardProps = {
  readonly view: SearchView
  readonly isChart: boolean
  readonly onClose: () => void
}

const TYPES = ['table', 'column', 'bar', 'line', 'area', 'pie', 'number'] as const
const NEW = ''

/** The table or chart of the search as a widget of a dashboard, which may be a new one. */
export function ToDashboardDialog({ view, isChart, onClose }: ToDashboardProps) {
  const asked = useAsked('apps', listApps)
  const [placed, setPlaced] = useState<string>()
  return (
    <Dialog title={T.toDashboard.title} onClose={onClose}>
      {placed === undefined ? (
        <AskedPart asked={asked}>
          {(answer) => <Form {...{ answer, view, isChart, onClose, onPlaced: setPlaced }} />}
        </AskedPart>
      ) : (
        <>
          <p role="status">{T.toDashboard.done}</p>
          <div class="row">
            <a class="button button-main" href={placed}>
              {T.toDashboard.open}
            </a>
            <Button onClick={onClose}>{TEXTS.act.close}</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

type FormProps = ToDashboardProps & {
  readonly answer: AppsAnswer
  readonly onPlaced: (path: string) => void
}

function Form({ answer, view, isChart, onClose, onPlaced }: FormProps) {
  const apps = answer.apps.filter(({ mayEdit }) => mayEdit)
  const [appId, setAppId] = useState(String(apps[0]?.id ?? NEW))
  const [boardId, setBoardId] = useState(String(apps[0]?.dashboards[0]?.id ?? NEW))
  const [appName, setAppName] = useState('')
  const [boardName, setBoardName] = useState('')
  const [title, setTitle] = useState('')
  const [type, setType] = useState<VisualType>(isChart ? 'column' : 'table')
  const [isOwnTime, setOwnTime] = useState(false)
  const act = useAct(() => undefined)
  const form = useRef<HTMLFormElement>(null)
  // The dialog opened before there was anything to type into.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  if (apps.length === 0 && !answer.mayMake) return <p>{T.toDashboard.noRight}</p>
  const app = apps.find(({ id }) => String(id) === appId)
  const board = app?.dashboards.find(({ id }) => String(id) === boardId)
  const chooseApp = (id: string) => {
    setAppId(id)
    const next = apps.find((one) => String(one.id) === id)
    setBoardId(String(next?.dashboards[0]?.id ?? NEW))
  }
  const widgetFor = (definition: Parameters<typeof newWidget>[0]): Widget => ({
    ...newWidget(definition, title),
    ...{ title, type, query: view.query },
    timeFrame: isOwnTime ? timeOf(view) : null,
  })
  const place = async () => {
    const into = app ?? (await addApp(appName))
    if (board === undefined) {
      const definition = { widgets: [widgetFor(EMPTY)] }
      const made = await addDashboard(into.id, { name: boardName, definition })
      onPlaced(placePath(into.name, made.name))
      return
    }
    const key = { appId: into.id, id: board.id }
    const { definition, version, name } = await readDashboard(key)
    const widgets = [...definition.widgets, widgetFor(definition)]
    await changeDashboard(key, { version, definition: { ...definition, widgets } })
    onPlaced(placePath(into.name, name))
  }
  const known = apps.map(({ id, name }) => [String(id), name] as const)
  const boards = app?.dashboards.map(({ id, name }) => [String(id), name] as const) ?? []
  return (
    <form
      ref={form}
      class="save-form"
      onSubmit={(event) => {
        event.preventDefault()
        act.run(place)
      }}
    >
      <Field
        {...{ label: T.toDashboard.name, name: 'title', value: title, onInput: setTitle }}
        required
        autofocus
      />
      <Select
        {...{ label: T.toDashboard.app, name: 'app', value: appId, onChoose: chooseApp }}
        options={answer.mayMake ? [...known, [NEW, T.toDashboard.newApp]] : known}
      />
      {app === undefined && (
        <Field
          {...{ label: T.toDashboard.appName, name: 'appName', value: appName }}
          onInput={setAppName}
          required
        />
      )}
      {app !== undefined && (
        <Select
          {...{ label: T.toDashboard.board, name: 'board', value: boardId, onChoose: setBoardId }}
          options={[...boards, [NEW, T.toDashboard.newBoard]]}
        />
      )}
      {board === undefined && (
        <Field
          {...{ label: T.toDashboard.boardName, name: 'boardName', value: boardName }}
          onInput={setBoardName}
          required
        />
      )}
      <Select
        {...{ label: T.toDashboard.type, name: 'type', value: type }}
        options={TYPES.map((one) => [one, T.toDashboard.types[one]] as const)}
        onChoose={(value) => setType(TYPES.find((one) => one === value) ?? 'table')}
      />
      <label class="save-shared">
        <input
          type="checkbox"
          checked={isOwnTime}
          onChange={(event) => setOwnTime(event.currentTarget.checked)}
        />
        {T.toDashboard.ownTime}
      </label>
      {act.error !== undefined && <Banner kind="error">{act.error}</Banner>}
      <div class="row">
        <Button type="submit" look="main" disabled={act.isBusy}>
          {T.toDashboard.add}
        </Button>
        <Button onClick={onClose}>{TEXTS.act.cancel}</Button>
      </div>
    </form>
  )
}

const EMPTY = {
  ...{ description: '', timeFrame: null, sources: null, slideSeconds: null },
  ...{ variables: [], widgets: [] },
}

/** Of an address that names no interval of ours, or times that do not go together: that of the
 *  dashboard. */
function timeOf({ range }: SearchView): Widget['timeFrame'] {
  if (range.kind === 'unclear') return null
  if (range.kind === 'times') return { start: range.start, end: range.end }
  const interval = FIXED_INTERVALS.find((one) => one === range.interval)
  return interval === undefined ? null : { interval }
}
