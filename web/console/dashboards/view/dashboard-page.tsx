import { address } from '../../../shared/address.ts'
import { type App, readDashboard } from '../../../shared/api/apps.ts'
import { useAsked } from '../../../shared/asked.ts'
import { EditPage } from '../edit/edit-page.tsx'
import { Asking } from './asking.tsx'
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
    <Asking asked={asked}>
      {(dashboard) => (
        <Shown
          {...{ app, dashboard }}
          onSaved={() => {
            asked.again()
            onChange()
          }}
        />
      )}
    </Asking>
  )
}

function Shown({ app, dashboard, onSaved }: ViewProps & { readonly onSaved: () => void }) {
  const isEdited = dashboard.mayEdit && address.value.parameters.get('edit') === '1'
  if (!isEdited) return <DashboardView app={app} dashboard={dashboard} />
  const timeZone = app.settings.timeZone || browserZone()
  return <EditPage key={dashboard.id} {...{ app, dashboard, timeZone, onSaved }} />
}
