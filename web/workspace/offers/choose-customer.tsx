import type { Organization } from '../../../schemas/portal/accounts.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import { withParameters } from '../../shared/with-parameters.ts'
import { withQuery } from '../api/ask.ts'
import { useList } from '../api/use-list.ts'
import { ToOrganizations } from '../operate/to-organizations.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.offers
const C = WORKSPACE.customers

/** Whoever acts for no customer says first for whom the offer is. */
export function ChooseCustomer() {
  const list = useList<Organization>(withQuery('/organizations', { kind: 'customer' }))
  return (
    <Page
      title={T.new}
      back={{ path: PATHS.offers, name: WORKSPACE.pages.offers }}
      intro={T.forWhom}
    >
      <ListPart
        list={list}
        wordsOf={({ name, region, channel }) => `${name} ${region} ${channel ?? ''}`}
        empty={
          <Empty title={T.noCustomer}>
            <p class="soft">{T.noCustomerText}</p>
            <ToOrganizations />
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={T.forWhom}
            columns={[
              { name: C.name, by: ['name', ({ name }) => name] },
              { name: C.channel, by: ['channel', ({ channel }) => channel] },
              { name: C.region, by: ['region', ({ region }) => region] },
              { name: C.currency, by: ['currency', ({ currency }) => currency] },
            ]}
            rows={rows}
            order={order}
          >
            {({ id, name, channel, region, currency }) => (
              <tr key={id}>
                <td class="name">
                  <a href={withParameters(`${PATHS.offers}/new`, { for: id })}>{name}</a>
                </td>
                <td>{channel ?? C.direct}</td>
                <td>{region}</td>
                <td>{currency}</td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
    </Page>
  )
}
