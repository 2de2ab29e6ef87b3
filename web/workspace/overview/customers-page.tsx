import type { Organization } from '../../../schemas/portal/accounts.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { useAct } from '../../shared/use-act.ts'
import { useList } from '../api/use-list.ts'
import { FormError } from '../parts/form-error.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { printDay } from '../parts/print.ts'
import { Table } from '../parts/table.tsx'
import { switchTo } from '../shell/acting.ts'
import { WORKSPACE } from '../texts.ts'

const T = WORKSPACE.customers

/** For those who sell: whose plan, usage and offers they look at. */
export function CustomersPage() {
  const list = useList<Organization>('/organizations?kind=customer')
  const act = useAct(() => undefined)
  return (
    <Page title={WORKSPACE.pages.customers} intro={T.intro}>
      <FormError error={act.error} />
      <ListPart
        list={list}
        wordsOf={({ name, region, channel }) => `${name} ${region} ${channel ?? ''}`}
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table
            label={WORKSPACE.pages.customers}
            columns={[
              { name: T.name },
              { name: T.channel },
              { name: T.region },
              { name: T.currency },
              { name: T.since },
              { name: '' },
            ]}
          >
            {rows.map(({ id, name, channel, region, currency, createdAt }) => (
              <tr key={id}>
                <td class="name">{name}</td>
                <td>{channel ?? T.direct}</td>
                <td>{region}</td>
                <td>{currency}</td>
                <td class="time">{printDay(createdAt)}</td>
                <td class="acts">
                  <Button disabled={act.isBusy} onClick={() => act.run(() => switchTo(id))}>
                    {T.open(name)}
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </ListPart>
    </Page>
  )
}
