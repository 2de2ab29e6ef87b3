import { address } from '../../../shared/address.ts'
import { type App, readDashboard } from '../../../shared/api/apps.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { AwaitedHead } from '../awaited-head.tsx'
import { EditPage } from '../edit/edit-page.tsx'
import { browserZone, DashboardView, type ViewProps } from './dashboard-view.tsx'

type DashboardPageProps = {
  readonly app: App
  readonly head: App['dashboards'][number]
  readonly onChange: () => void
}

export function DashboardPage({ app, head, onChange }: DashboardPageProps) {
  const key = { appId: app.id, id: head.id }
  const asked = useAsked(`dashboard ${head.id}`, (signal) => readDashboard(key, signal))
  return (
    <>
      {asked.answer === undefined && (
        <AwaitedHead place={{ app: app.name, dashboard: head.name }} />
      )}
      <AskedPart asked={asked}>
        {(dashboard) => (
          <Shown
            {...{ app, dashboard }}
            onSaved={() => {
              asked.again()
              onChange()
            }}
          />
        )}
      </AskedPart>
    </>
  )
}

function Shown({ app, dashboard, onSaved }: ViewProps & { readonly onSaved: () => void }) {
  const isEdited = dashboard.mayEdit && address.value.parameters.get('edit') === '1'
  if (!isEdited) return <DashboardView app={app} dashboard={dashboard} />
  const timeZone = app.settings.timeZone || browserZone()
  return <EditPage key={dashboard.id} {...{ app, dashboard, timeZone, onSaved }} />
}
