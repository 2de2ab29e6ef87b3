import { useEffect, useState } from 'preact/hooks'
import { CHART_TYPES } from '../../../../schemas/charts/chart-option.ts'
import type { DashboardAnswer } from '../../../../schemas/public-calls/dashboards.ts'
import { address, go } from '../../../shared/address.ts'
import { type App, generateResult, readStored } from '../../../shared/api/apps.ts'
import { call } from '../../../shared/api/call.ts'
import { SESSION_PATH } from '../../../shared/api/session.ts'
import { useAsked } from '../../../shared/asked.ts'
import { nowMs } from '../../../shared/clock.ts'
import { download } from '../../../shared/download.ts'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Empty } from '../../../shared/parts/empty.tsx'
import { placePath } from '../place.ts'
import { T } from '../texts.ts'
import { useWork } from '../use-work.ts'
import { loadDrawing } from './chart.tsx'
import { documentPath, readChosen, readFrame } from './choice.ts'
import { LiveWidget } from './live-widget.tsx'
import { placeStyle, widgetClass } from './place-style.ts'
import { VariableBar } from './variable-bar.tsx'
import { WidgetBox } from './widget-box.tsx'

const LIVE_MS = 60_000

export type ViewProps = { readonly app: App; readonly dashboard: DashboardAnswer }

/** `isBare`: without its head, as in a slide show. */
export function DashboardView({
  app,
  dashboard,
  isBare = false,
}: ViewProps & { readonly isBare?: boolean }) {
  const { settings } = app
  const { definition, id, name, version } = dashboard
  const { parameters } = address.value
  const board = { appId: app.id, id }
  const chosen = readChosen(parameters, definition.variables)
  const timeFrame = readFrame(parameters)
  const question = {
    ...(Object.keys(chosen).length === 0 ? {} : { variables: chosen }),
    ...(timeFrame === undefined ? {} : { timeFrame }),
  }
  const [round, setRound] = useState(0)
  useEffect(() => {
    // A chart tells of it where this fails.
    if (definition.widgets.some(({ type }) => CHART_TYPES.has(type)))
      loadDrawing().catch(() => undefined)
  }, [])
  const isLive = settings.generation === 'live'
  const isKept = !isLive && Object.keys(question).length === 0
  useEffect(() => {
    if (!isLive) return
    const timer = setInterval(() => setRound((before) => before + 1), LIVE_MS)
    return () => clearInterval(timer)
  }, [isLive])
  const stored = useAsked(`stored ${version} ${isKept}`, (signal) =>
    isKept ? readStored(board, signal) : Promise.resolve(null),
  )
  const renewal = useWork(stored.again)
  // Of what is kept, and of the documents that are made of it, there is a new one for all.
  const refresh = () =>
    isKept
      ? renewal.run(async () => void (await generateResult(board)))
      : setRound((before) => before + 1)
  const kept = isKept ? (stored.answer ?? undefined) : undefined
  // Whoever cannot read the kept result runs the widgets.
  const isDecided = !isKept || stored.answer !== undefined || stored.error !== undefined
  const zone = kept?.timeZone || settings.timeZone || browserZone()
  const widgets = [...definition.widgets].sort(
    (a, b) => a.place.row - b.place.row || a.place.column - b.place.column,
  )
  return (
    <div class="boards">
      {!isBare && (
        <div class="boards-head">
          <h1>
            <a href={placePath(app.name)}>{app.name}</a> / {name}
          </h1>
          {kept !== undefined && (
            <span class="soft">{T.view.age(printAge(nowMs() - kept.generatedMs))}</span>
          )}
          <span class="grow" />
          <div class="boards-acts">
            <Button disabled={renewal.isBusy} onClick={refresh}>
              {renewal.isBusy ? T.view.renewing : T.view.refresh}
            </Button>
            <a
              class="button button-bordered"
              href={documentPath(app.name, name, 'pdf', parameters)}
              download=""
              onClick={downloadWhenSignedIn}
            >
              {T.view.pdf}
            </a>
            <a
              class="button button-bordered"
              href={documentPath(app.name, name, 'csv', parameters)}
              download=""
              onClick={downloadWhenSignedIn}
            >
              CSV
            </a>
            {dashboard.mayEdit && (
              <Button onClick={() => go(`${placePath(app.name, name)}?edit=1`)}>
                {T.edit.edit}
              </Button>
            )}
          </div>
        </div>
      )}
      {renewal.error !== undefined && <Banner kind="error">{renewal.error}</Banner>}
      {!isBare && definition.description !== '' && (
        <p class="boards-intro">{definition.description}</p>
      )}
      {!isBare && (
        <VariableBar
          variables={definition.variables}
          chosen={chosen}
          frame={definition.timeFrame ?? settings.timeFrame}
        />
      )}
      {widgets.length === 0 && <Empty title={T.view.noWidgets} />}
      <div class="board-grid">
        {widgets.map((widget) => {
          const answer = kept?.widgets.find(({ widgetId }) => widgetId === widget.id)
          return (
            <section
              key={widget.id}
              class={widgetClass(widget)}
              aria-label={widget.title}
              style={placeStyle(widget.place)}
            >
              {kept !== undefined || !isDecided ? (
                <WidgetBox
                  {...{ widget, timeZone: zone }}
                  asked={{
                    answer,
                    error: undefined,
                    isBusy: !isDecided || renewal.isBusy,
                    again: refresh,
                  }}
                />
              ) : (
                <LiveWidget
                  {...{ board, widget, question, timeZone: zone }}
                  round={`${version} ${round}`}
                />
              )}
            </section>
          )
        })}
      </div>
    </div>
  )
}

export function browserZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function printAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return T.view.now
  return minutes < 120 ? T.view.minutes(minutes) : T.view.hours(Math.floor(minutes / 60))
}

function downloadWhenSignedIn(event: MouseEvent): void {
  const { currentTarget: link } = event
  if (!(link instanceof HTMLAnchorElement)) return
  event.preventDefault()
  void download(link.href, '', () => call(SESSION_PATH))
}
