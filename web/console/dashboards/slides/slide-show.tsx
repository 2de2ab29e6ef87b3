import { useEffect, useState } from 'preact/hooks'
import type { DashboardAnswer } from '../../../../schemas/public-calls/dashboards.ts'
import { go } from '../../../shared/address.ts'
import { type App, readDashboard } from '../../../shared/api/apps.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Empty } from '../../../shared/parts/empty.tsx'
import { placePath } from '../place.ts'
import { T } from '../texts.ts'
import { DashboardView } from '../view/dashboard-view.tsx'
import './slide-show.css'

/** More than a room looks at. */
const MOST = 50

/** The dashboards of an app that say how long they stay, one after the other. */
export function SlideShow({ app }: { readonly app: App }) {
  const asked = useAsked(`slides ${app.id} ${app.version}`, async (signal) => {
    const heads = app.dashboards.slice(0, MOST)
    const all = await Promise.all(
      heads.map(({ id }) => readDashboard({ appId: app.id, id }, signal)),
    )
    return all.filter(({ definition }) => definition.slideSeconds !== null)
  })
  return (
    <AskedPart asked={asked}>
      {(slides) =>
        slides.length === 0 ? (
          <Empty title={T.view.noSlides}>
            <p>{T.view.noSlidesText}</p>
            <a href={placePath(app.name)}>{app.name}</a>
          </Empty>
        ) : (
          <Slides app={app} slides={slides} />
        )
      }
    </AskedPart>
  )
}

type SlidesProps = { readonly app: App; readonly slides: readonly DashboardAnswer[] }

function Slides({ app, slides }: SlidesProps) {
  const [at, setAt] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const shown = slides[at % slides.length]
  const step = (by: number) => setAt((now) => (now + by + slides.length) % slides.length)
  const seconds = shown?.definition.slideSeconds ?? 0
  const end = () => {
    if (document.fullscreenElement !== null) void document.exitFullscreen()
    go(placePath(app.name))
  }
  useEffect(() => {
    if (isPaused || slides.length < 2) return
    const timer = setTimeout(() => step(1), seconds * 1000)
    return () => clearTimeout(timer)
  }, [at, isPaused, seconds])
  useEffect(() => {
    const acts: Readonly<Record<string, () => void>> = {
      Escape: end,
      ArrowRight: () => step(1),
      ArrowLeft: () => step(-1),
      p: () => setPaused((now) => !now),
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const act = acts[event.key]
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  if (shown === undefined) return null
  return (
    <section class="slides" aria-label={`${T.view.slides}: ${app.name}`}>
      <div class="slides-bar">
        <h1>{shown.name}</h1>
        <span class="soft tabular" role="status">
          {T.view.slide(at + 1, slides.length)}
        </span>
        <span class="grow" />
        <Button look="plain" aria-label={T.view.before} onClick={() => step(-1)}>
          ‹
        </Button>
        <Button look="plain" isOn={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? T.view.goOn : T.view.pause}
        </Button>
        <Button look="plain" aria-label={T.view.next} onClick={() => step(1)}>
          ›
        </Button>
        <Button look="plain" onClick={() => void document.documentElement.requestFullscreen()}>
          {T.view.full}
        </Button>
        <Button onClick={end}>{T.view.endSlides}</Button>
      </div>
      <DashboardView key={shown.id} app={app} dashboard={shown} isBare />
    </section>
  )
}
