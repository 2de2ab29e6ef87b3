import { useState } from 'preact/hooks'
import { address } from '../../shared/address.ts'
import { nowMs } from '../../shared/clock.ts'
import { printAge } from '../../shared/format.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { hasRole } from '../api/session.ts'
import type { Webhook } from '../api/types.ts'
import { useList } from '../api/use-list.ts'
import { SecretDialog } from '../parts/dialogs.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { MadeBy } from '../parts/maker.tsx'
import { Page } from '../parts/page.tsx'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { itemOf, PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookPage } from './webhook-page.tsx'
import { sayState, WebhookState } from './webhook-state.tsx'

const T = WORKSPACE.webhooks

export function WebhooksPage() {
  const id = itemOf(address.value.path)
  return id === undefined ? <WebhookList /> : <WebhookPage key={id} id={id} />
}

function WebhookList() {
  const list = useList<Webhook>('/webhooks')
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const makeButton = hasRole('customer_admin') && (
    <Button look="main" onClick={() => setMaking(true)}>
      {T.make}
    </Button>
  )
  return (
    <Page title={WORKSPACE.pages.webhooks} intro={T.intro} acts={makeButton}>
      <ListPart
        list={list}
        wordsOf={({ url, description }) => `${url} ${description}`}
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
            {makeButton}
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={WORKSPACE.pages.webhooks}
            columns={[
              { name: T.url, by: ['url', ({ url }) => url] },
              { name: T.state, by: ['state', (webhook) => sayState(webhook)] },
              { name: WORKSPACE.maker.by, by: ['maker', ({ madeBy }) => madeBy?.name ?? ''] },
              { name: T.events, by: ['events', ({ events }) => events.length] },
              {
                name: T.delivered,
                by: ['delivered', ({ lastDeliveredAt }) => rankOfTime(lastDeliveredAt)],
              },
            ]}
            rows={rows}
            order={order}
          >
            {(row) => (
              <tr key={row.id}>
                <td class="name wide">
                  <a href={`${PATHS.webhooks}/${row.id}`}>{row.url}</a>
                  {row.description !== '' && <span class="sub">{row.description}</span>}
                </td>
                <td>
                  <WebhookState webhook={row} />
                </td>
                <td>
                  <MadeBy maker={row.madeBy} />
                </td>
                <td class="soft">{T.kinds(row.events.length)}</td>
                <td class="time">
                  {row.lastDeliveredAt === null ? T.never : printAge(row.lastDeliveredAt, nowMs())}
                </td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
      {isMaking && (
        <WebhookDialog
          onClose={() => setMaking(false)}
          onDone={(made) => {
            setMaking(false)
            setSecret(made)
            list.again()
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog title={T.secret} secret={secret} onClose={() => setSecret(undefined)}>
          <p class="soft">{T.secretHelp}</p>
        </SecretDialog>
      )}
    </Page>
  )
}
