import type { DeploymentTold } from '../../../schemas/portal/deployments.ts'
import { address } from '../../shared/address.ts'
import { nowMs } from '../../shared/clock.ts'
import { printAge } from '../../shared/format.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import { asSentence } from '../../shared/tell-failure.ts'
import { withParameters } from '../../shared/with-parameters.ts'
import { session } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { useOrganizationNames } from '../operate/use-organizations.ts'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { rankOfTime } from '../parts/ranks.ts'
import { type Column, Table } from '../parts/table.tsx'
import { itemOf, PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { DeploymentPage } from './deployment-page.tsx'
import { DeploymentState } from './deployment-state.tsx'

const T = WORKSPACE.deployments

export function DeploymentsPage() {
  const id = itemOf(address.value.path)
  return id === undefined ? <DeploymentList /> : <DeploymentPage key={id} id={id} />
}

function DeploymentList() {
  const list = useList<DeploymentTold>('/deployments')
  const isOfAll = session.value?.organization?.kind === 'vendor'
  const names = useOrganizationNames(isOfAll)
  const nameOf = (id: string) => names.get(id) ?? id
  const customer: Column<DeploymentTold> = {
    name: WORKSPACE.customers.one,
    by: ['organization', ({ organizationId }) => nameOf(organizationId)],
  }
  return (
    <Page title={WORKSPACE.pages.deployments} intro={isOfAll ? T.introAll : T.intro}>
      <ListPart
        list={list}
        wordsOf={({ name, version, state, organizationId }) =>
          `${name} ${version} ${state} ${nameOf(organizationId)}`
        }
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
            <pre class="secret">{T.howTo}</pre>
            {isOfAll && <a href={PATHS.licenses}>{WORKSPACE.pages.licenses}</a>}
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={WORKSPACE.pages.deployments}
            columns={[
              { name: T.name, by: ['name', ({ name }) => name] },
              ...(isOfAll ? [customer] : []),
              { name: T.state, by: ['state', ({ state }) => T.states[state]] },
              { name: T.version, by: ['version', ({ version }) => version] },
              { name: T.nodes, isNumber: true, by: ['nodes', ({ nodes }) => nodes.length] },
              { name: T.lastSeen, by: ['seen', ({ lastSeenAt }) => rankOfTime(lastSeenAt)] },
            ]}
            rows={order === undefined ? rows : worstFirst(rows)}
            order={order}
          >
            {(row) => (
              <tr key={row.id}>
                <td class="name">
                  <a
                    href={withParameters(
                      `${PATHS.deployments}/${row.id}`,
                      isOfAll ? { for: row.organizationId } : {},
                    )}
                  >
                    {row.name}
                  </a>
                  {row.alerts.map(({ code, message }) => (
                    <span key={code} class="sub">
                      {asSentence(message)}
                    </span>
                  ))}
                </td>
                {isOfAll && (
                  <td>
                    <a href={`${PATHS.customers}/${row.organizationId}`}>
                      {nameOf(row.organizationId)}
                    </a>
                  </td>
                )}
                <td>
                  <DeploymentState deployment={row} />
                </td>
                <td>{row.version}</td>
                <td class="number">{row.nodes.length}</td>
                <td class="time">{printAge(row.lastSeenAt, nowMs())}</td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
    </Page>
  )
}

/** Of a list that is here as a whole: what waits for somebody stands first, what is over last. */
function worstFirst(rows: readonly DeploymentTold[]): readonly DeploymentTold[] {
  const rank = ({ state, alerts }: DeploymentTold) =>
    alerts.length > 0 ? 0 : { silent: 1, registered: 2, retired: 3 }[state]
  return [...rows].sort((a, b) => rank(a) - rank(b))
}
