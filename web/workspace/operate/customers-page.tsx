import { useState } from 'preact/hooks'
import { type Organization, organizationKind } from '../../../schemas/portal/accounts.ts'
import { ORGANIZATION_KINDS } from '../../../schemas/portal/roles.ts'
import { address, changeParameters } from '../../shared/address.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { useAct } from '../../shared/use-act.ts'
import { withQuery } from '../api/ask.ts'
import { hasRole, session } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { FormError } from '../parts/form-error.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { printDay } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { switchTo } from '../shell/acting.ts'
import { itemOf, PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { OrganizationDialog } from './organization-dialog.tsx'
import { OrganizationPage } from './organization-page.tsx'

const T = WORKSPACE.customers

/** For those who sell: whose plan, usage and offers they look at. */
export function CustomersPage() {
  const id = itemOf(address.value.path)
  return id === undefined || !hasRole('sales', 'operator') ? (
    <OrganizationList />
  ) : (
    <OrganizationPage key={id} id={id} />
  )
}

function OrganizationList() {
  const isStaff = hasRole('sales', 'operator')
  const canMake = hasRole('operator')
  const here = session.value?.organization?.id
  const given = organizationKind.safeParse(address.value.parameters.get('kind'))
  const kind = isStaff ? given.data : 'customer'
  const list = useList<Organization>(withQuery('/organizations', { kind }))
  const [isMaking, setMaking] = useState(false)
  const act = useAct(() => undefined)
  return (
    <Page
      title={WORKSPACE.pages.customers}
      intro={isStaff ? T.intro : T.introSeller}
      acts={
        canMake && (
          <Button look="main" onClick={() => setMaking(true)}>
            {T.add}
          </Button>
        )
      }
    >
      <FormError error={act.error} />
      <ListPart
        list={list}
        tools={
          isStaff && (
            <Select
              label={T.kind}
              name="kind"
              value={kind ?? ''}
              options={[
                ['', T.anyKind],
                ...ORGANIZATION_KINDS.map((one): [string, string] => [one, T.kinds[one]]),
              ]}
              onChoose={(chosen) => changeParameters({ kind: chosen })}
            />
          )
        }
        wordsOf={({ name, region, channel }) => `${name} ${region} ${channel ?? ''}`}
        empty={
          <Empty title={T.none}>
            <p class="soft">{canMake ? T.noneText : T.noneSeller}</p>
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={WORKSPACE.pages.customers}
            columns={[
              { name: T.name, by: ['name', ({ name }) => name] },
              { name: T.kind, by: ['kind', ({ kind }) => T.kinds[kind]] },
              { name: T.channel, by: ['channel', ({ channel }) => channel] },
              { name: T.region, by: ['region', ({ region }) => region] },
              { name: T.currency, by: ['currency', ({ currency }) => currency] },
              { name: T.since, by: ['since', ({ createdAt }) => rankOfTime(createdAt)] },
              { name: '' },
            ]}
            rows={rows}
            order={order}
          >
            {(one) => (
              <tr key={one.id}>
                <td class="name">
                  {isStaff ? <a href={`${PATHS.customers}/${one.id}`}>{one.name}</a> : one.name}
                </td>
                <td>{T.kinds[one.kind]}</td>
                <td>{one.channel ?? (one.kind === 'customer' ? T.direct : '')}</td>
                <td>{one.region}</td>
                <td>{one.currency}</td>
                <td class="time">{printDay(one.createdAt)}</td>
                <td class="acts">
                  {one.id === here ? (
                    <span class="soft">{T.openNow}</span>
                  ) : (
                    <Button
                      aria-label={T.open(one.name)}
                      disabled={act.isBusy}
                      onClick={() => act.run(() => switchTo(one.id))}
                    >
                      {T.openShort}
                    </Button>
                  )}
                </td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
      {isMaking && <OrganizationDialog onDone={list.again} onClose={() => setMaking(false)} />}
    </Page>
  )
}
