import { useState } from 'preact/hooks'
import type { DeploymentTold } from '../../../schemas/portal/deployments.ts'
import { useAsked } from '../../shared/asked.ts'
import { BarChart } from '../../shared/charts/bar-chart.tsx'
import { nowMs } from '../../shared/clock.ts'
import { printAge } from '../../shared/format.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Banner } from '../../shared/parts/banner.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Field } from '../../shared/parts/field.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useSort } from '../../shared/sort/use-sort.ts'
import { asSentence } from '../../shared/tell-failure.ts'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { hasRole } from '../api/session.ts'
import { parseLines, readUsageLines } from '../api/usage.ts'
import { daysBetween } from '../overview/days-between.ts'
import { SecretDialog, SureDialog } from '../parts/dialogs.tsx'
import { FormError } from '../parts/form-error.tsx'
import { Page } from '../parts/page.tsx'
import { printBytes, printDay, printShortDay, printTime } from '../parts/print.ts'
import { Table } from '../parts/table.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { DeploymentState } from './deployment-state.tsx'

const T = WORKSPACE.deployments
const DAYS_MS = 29 * 86_400_000

export function DeploymentPage({ id }: { readonly id: string }) {
  const order = useSort()
  const path = `/deployments/${id}`
  const asked = useAsked(path, (signal) => ask<DeploymentTold>(path, { signal }))
  const [dialog, setDialog] = useState<'retire' | 'token'>()
  const [token, setToken] = useState<string>()
  const deployment = asked.answer
  const canChange = hasRole('customer_admin', 'operator') && deployment?.state !== 'retired'
  return (
    <Page
      title={deployment?.name ?? T.one}
      back={{ path: PATHS.deployments, name: WORKSPACE.pages.deployments }}
      {...(deployment === undefined ? {} : { mark: <DeploymentState deployment={deployment} /> })}
      acts={
        canChange &&
        deployment !== undefined && (
          <>
            <Button onClick={() => setDialog('token')}>{T.rotate}</Button>
            <Button onClick={() => setDialog('retire')}>{T.retire}</Button>
          </>
        )
      }
    >
      <AskedPart asked={asked}>
        {(told) => (
          <>
            {told.alerts.map(({ code, message, since }) => (
              <Banner key={code} kind="warning">
                {asSentence(message)}{' '}
                <span class="soft">{WORKSPACE.overview.since(printTime(since))}</span>
              </Banner>
            ))}
            <section class="card">
              <dl class="facts">
                <dt>{T.lastSeen}</dt>
                <dd>
                  {printAge(told.lastSeenAt, nowMs())}{' '}
                  <span class="soft">· {printTime(told.lastSeenAt)}</span>
                </dd>
                <dt>{T.version}</dt>
                <dd>{told.version}</dd>
                <dt>{T.layout}</dt>
                <dd>{told.layout}</dd>
                <dt>{T.since}</dt>
                <dd>{printTime(told.createdAt)}</dd>
                <dt>{T.fingerprint}</dt>
                <dd>
                  <code>{told.fingerprint}</code>
                </dd>
                {told.retiredAt !== null && (
                  <>
                    <dt>{T.retiredAt}</dt>
                    <dd>{printTime(told.retiredAt)}</dd>
                  </>
                )}
              </dl>
              {canChange && <RenameForm deployment={told} onDone={asked.again} />}
            </section>
            <DeploymentUsage id={id} />
            <section class="part">
              <h2>{T.nodes}</h2>
              <Table
                label={T.nodes}
                columns={[
                  { name: T.name, by: ['name', ({ name }) => name] },
                  { name: T.role, by: ['role', ({ role }) => role] },
                  { name: T.version, by: ['version', ({ version }) => version] },
                ]}
                rows={told.nodes}
                order={order}
              >
                {({ name, role, version }) => (
                  <tr key={`${name} ${role}`}>
                    <td class="name">{name}</td>
                    <td>{role}</td>
                    <td>{version}</td>
                  </tr>
                )}
              </Table>
            </section>
          </>
        )}
      </AskedPart>
      {dialog === 'retire' && (
        <SureDialog
          title={T.retireTitle(deployment?.name ?? '')}
          act={T.retire}
          onClose={() => setDialog(undefined)}
          work={async () => {
            await ask(path, { method: 'PATCH', body: { state: 'retired' } })
            asked.again()
          }}
        >
          <p>{T.retireText}</p>
        </SureDialog>
      )}
      {dialog === 'token' && (
        <SureDialog
          title={T.rotateTitle(deployment?.name ?? '')}
          act={T.rotate}
          onClose={() => setDialog(undefined)}
          work={async () => {
            const told = await ask<{ deploymentToken: string }>(`${path}/token`, { method: 'POST' })
            setToken(told.deploymentToken)
          }}
        >
          <p>{T.rotateText}</p>
        </SureDialog>
      )}
      {token !== undefined && (
        <SecretDialog title={T.token} secret={token} onClose={() => setToken(undefined)} />
      )}
    </Page>
  )
}

function RenameForm({
  deployment: { id, name },
  onDone,
}: {
  readonly deployment: DeploymentTold
  readonly onDone: () => void
}) {
  const [text, setText] = useState(name)
  const act = useAct(onDone)
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        act.run(async () => {
          // Empty: as it names itself.
          const told = await ask<DeploymentTold>(`/deployments/${id}`, {
            method: 'PATCH',
            body: { name: text.trim() === '' ? null : text.trim() },
          })
          setText(told.name)
          toast(T.renamed)
        })
      }}
    >
      <Field label={T.rename} help={T.renameHelp} name="name" value={text} onInput={setText} />
      <FormError error={act.error} />
      <div class="row">
        <Button type="submit" disabled={act.isBusy || text === name}>
          {WORKSPACE.act.save}
        </Button>
      </div>
    </form>
  )
}

function DeploymentUsage({ id }: { readonly id: string }) {
  const from = new Date(nowMs() - DAYS_MS).toISOString().slice(0, 10)
  const to = new Date(nowMs()).toISOString()
  const asked = useAsked(`usage of ${id} ${from}`, async (signal) =>
    parseLines(
      await readUsageLines(
        { granularity: 'day', from: `${from}T00:00:00Z`, to, deploymentId: id },
        signal,
      ),
    ),
  )
  return (
    <section class="card">
      <div class="card-head">
        <h2>{T.usage}</h2>
        <a href={`${PATHS.usage}?deployment=${id}`}>{WORKSPACE.overview.toUsage}</a>
      </div>
      <AskedPart asked={asked}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="soft">{T.noUsage}</p>
          ) : (
            <BarChart
              label={T.usage}
              series={[WORKSPACE.overview.perDay]}
              bars={daysBetween(from, to.slice(0, 10)).map((day) => ({
                label: printShortDay(day),
                title: printDay(day),
                values: [
                  rows.reduce(
                    (sum, { time, bytes }) => sum + (time.startsWith(day) ? bytes : 0),
                    0,
                  ),
                ],
              }))}
              print={printBytes}
            />
          )
        }
      </AskedPart>
    </section>
  )
}
