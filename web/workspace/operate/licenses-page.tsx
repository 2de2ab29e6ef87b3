import type { LicenseTold } from '../../../schemas/portal/accounts.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import { session } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { printDay } from '../parts/print.ts'
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
        {(rows) => (
          <Table
            label={T.title}
            columns={[
              { name: T.name },
              { name: T.organization },
              { name: T.state },
              { name: T.plan },
              { name: T.valid },
            ]}
          >
            {rows.map((license) => (
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
            ))}
          </Table>
        )}
      </ListPart>
    </Page>
  )
}
