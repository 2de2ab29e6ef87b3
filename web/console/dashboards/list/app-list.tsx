import { useState } from 'preact/hooks'
import type { AppsAnswer } from '../../../../schemas/public-calls/dashboards.ts'
import { importApp, listReadyMade } from '../../../shared/api/apps.ts'
import { useAsked } from '../../../shared/asked.ts'
import { Banner } from '../../../shared/parts/banner.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { Empty } from '../../../shared/parts/empty.tsx'
import { toast } from '../../../shared/parts/toast.tsx'
import { T } from '../texts.ts'
import { useWork, type Work } from '../use-work.ts'
import { AppCard } from './app-card.tsx'
import { ImportButton } from './import-button.tsx'
import { NameDialog } from './name-dialog.tsx'

type AppListProps = {
  readonly answer: AppsAnswer
  /** One app alone. */
  readonly isOne?: boolean
  readonly onChange: () => void
}

export function AppList({ answer: { apps, mayMake }, isOne = false, onChange }: AppListProps) {
  const work = useWork(onChange)
  const [isNaming, setNaming] = useState(false)
  return (
    <div class="boards">
      <div class="boards-head">
        <h1>
          {isOne ? (
            <>
              <a href="/logeye/dashboards">{T.title}</a> / {apps[0]?.name}
            </>
          ) : (
            T.title
          )}
        </h1>
        <span class="grow" />
        {mayMake && !isOne && (
          <>
            <ImportButton work={work} />
            <Button onClick={() => setNaming(true)}>{T.newApp}</Button>
          </>
        )}
      </div>
      {work.error !== undefined && <Banner kind="error">{work.error}</Banner>}
      {apps.length === 0 ? (
        <Empty title={T.none}>
          <p>{mayMake ? T.noneText : T.noneWithout}</p>
        </Empty>
      ) : (
        <div class="boards-cards">
          {apps.map((app) => (
            <AppCard key={app.id} app={app} work={work} />
          ))}
        </div>
      )}
      {mayMake && !isOne && <ReadyMadeApps known={apps.map(({ name }) => name)} work={work} />}
      {isNaming && <NameDialog onClose={() => setNaming(false)} onChange={onChange} />}
    </div>
  )
}

function ReadyMadeApps({
  known,
  work,
}: {
  readonly known: readonly string[]
  readonly work: Work
}) {
  const asked = useAsked('ready-made', listReadyMade)
  const names = new Set(known.map((name) => name.toLowerCase()))
  const free = (asked.answer ?? []).filter(({ name }) => !names.has(name.toLowerCase()))
  if (free.length === 0) return null
  return (
    <section class="boards-ready" aria-label={T.readyMade}>
      <h2>{T.readyMade}</h2>
      <div class="boards-cards">
        {free.map(({ name, description, dashboards }) => (
          <div key={name} class="board-card board-card-ready">
            <h3>{name}</h3>
            <p class="soft">{description}</p>
            <p class="soft">{dashboards.join(', ')}</p>
            <div>
              <Button
                disabled={work.isBusy}
                onClick={() =>
                  work.run(async () => {
                    await importApp({ readyMade: name })
                    toast(T.installed(name))
                  })
                }
              >
                {T.install(name)}
              </Button>
            </div>
          </div>
        ))}
      </div>
    </section>
  )
}
