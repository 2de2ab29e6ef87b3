import type { LicenseTold } from '../../../schemas/portal/accounts.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import { session } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { printDay } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { LicenseState } from './license-state.tsx'
import { printVolume } from './organization-licenses.tsx'
import { ToOrganizations } from './to-organizations.tsx'
import { useOrganizationNames } from './use-organizations.ts'

const T = WORKSPACE.licenses

/** Of all organizations, or of the one that the page acts for. */
export function LicensesPage() {
  const list = useList<LicenseTold>('/licenses')
  const { organization } = session.value ?? {}
  const isOfAll = organization?.kind === 'vendor'
  const names = useOrganizationNames()
  const nameOf = (id: string) => names.get(id) ?? id
  return (
    <Page
      title={WORKSPACE.pages.licenses}
      intro={isOfAll ? T.intro : T.introOne(organization?.name ?? '')}
    >
      <ListPart
        list={list}
        wordsOf={({ name, state, plan, organizationId, keys }) =>
          `${name} ${state} ${plan.name} ${nameOf(organizationId)} ${keys.map(({ last4 }) => last4).join(' ')}`
        }
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
            {isOfAll && <ToOrganizations />}
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={T.title}
            columns={[
              { name: T.name, by: ['name', ({ name }) => name] },
              {
                name: T.organization,
                by: ['organization', ({ organizationId }) => nameOf(organizationId)],
              },
              { name: T.state, by: ['state', ({ state }) => T.states[state]] },
              { name: T.plan, by: ['plan', ({ plan }) => plan.name] },
              { name: T.valid, by: ['valid', ({ validTo }) => rankOfTime(validTo)] },
            ]}
            rows={rows}
            order={order}
          >
            {(license) => (
              <tr key={license.id}>
                <td class="name">{license.name}</td>
                <td>
                  <a href={`${PATHS.customers}/${license.organizationId}`}>
                    {nameOf(license.organizationId)}
                  </a>
                </td>
                <td>
                  <LicenseState state={license.state} />
                </td>
                <td>
                  {license.plan.name}
                  <span class="sub">{printVolume(license)}</span>
                </td>
                <td class="time">
                  {T.from(printDay(license.validFrom), printDay(license.validTo))}
                </td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
    </Page>
  )
}
