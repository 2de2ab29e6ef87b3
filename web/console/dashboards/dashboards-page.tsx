import { address } from '../../shared/address.ts'
import { listApps } from '../../shared/api/apps.ts'
import { useAsked } from '../../shared/asked.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { AwaitedHead } from './awaited-head.tsx'
import { AppList } from './list/app-list.tsx'
import { readPlace } from './place.ts'
import { SlideShow } from './slides/slide-show.tsx'
import { T } from './texts.ts'
import { DashboardPage } from './view/dashboard-page.tsx'
import './dashboards.css'

/** The list of apps, one app, or one dashboard, as the address says. */
export function DashboardsPage() {
  const place = readPlace(address.value.path)
  const asked = useAsked('apps', listApps)
  return (
    <>
      {asked.answer === undefined && <AwaitedHead place={place} />}
      <AskedPart asked={asked}>
        {(answer) => {
          const app = answer.apps.find(({ name }) => isSame(name, place.app))
          if (place.app === undefined) return <AppList answer={answer} onChange={asked.again} />
          if (app === undefined) return <Gone text={T.noApp} />
          if (place.dashboard === undefined && address.value.parameters.get('slides') === '1')
            return <SlideShow key={app.id} app={app} />
          if (place.dashboard === undefined)
            return <AppList answer={{ ...answer, apps: [app] }} isOne onChange={asked.again} />
          const head = app.dashboards.find(({ name }) => isSame(name, place.dashboard))
          if (head === undefined) return <Gone text={T.noDashboard} />
          return <DashboardPage key={head.id} app={app} head={head} onChange={asked.again} />
        }}
      </AskedPart>
    </>
  )
}

function Gone({ text }: { readonly text: string }) {
  return (
    <Empty title={text}>
      <a href="/logeye/dashboards">{T.toList}</a>
    </Empty>
  )
}

function isSame(name: string, asked: string | undefined): boolean {
  return name.toLowerCase() === asked?.toLowerCase()
}
