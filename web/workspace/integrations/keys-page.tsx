import { useState } from 'preact/hooks'
import { address, changeParameters } from '../../shared/address.ts'
import { nowMs } from '../../shared/clock.ts'
import { printAge } from '../../shared/format.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { ask } from '../api/ask.ts'
import { hasRole } from '../api/session.ts'
import type { ApiKey } from '../api/types.ts'
import { useList } from '../api/use-list.ts'
import { SecretDialog, SureDialog } from '../parts/dialogs.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { MadeBy } from '../parts/maker.tsx'
import { Page } from '../parts/page.tsx'
import { Pill } from '../parts/pill.tsx'
import { printDay, printTime } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { WORKSPACE } from '../texts.ts'
import { NewKeyDialog, ReplaceKeyDialog } from './key-dialogs.tsx'

const T = WORKSPACE.keys

type Open = { readonly kind: 'new' } | { readonly kind: 'replace' | 'revoke'; readonly key: ApiKey }

export function KeysPage() {
  const isAll = address.value.parameters.get('all') === '1'
  const list = useList<ApiKey>(isAll ? '/api-keys' : '/api-keys?inForce=true')
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<string>()
  const isAdmin = hasRole('customer_admin')
  const close = () => setOpen(undefined)
  const onMade = (key: string) => {
    setMade(key)
    close()
    list.again()
  }
  const makeButton = isAdmin && (
    <Button look="main" onClick={() => setOpen({ kind: 'new' })}>
      {T.make}
    </Button>
  )
  return (
    <Page title={WORKSPACE.pages.keys} intro={T.intro} acts={makeButton}>
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={(event) => changeParameters({ all: event.currentTarget.checked ? '1' : '' })}
        />
        {T.withEnded}
      </label>
      <ListPart
        list={list}
        wordsOf={({ name, last4, scopes, madeBy }) =>
          `${name} ${last4} ${scopes.join(' ')} ${madeBy?.name ?? ''}`
        }
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
            {makeButton}
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={WORKSPACE.pages.keys}
            columns={[
              { name: T.name, by: ['name', ({ name }) => name] },
              { name: T.scopes, by: ['scopes', ({ scopes }) => scopes.join(', ')] },
              { name: WORKSPACE.maker.by, by: ['maker', ({ madeBy }) => madeBy?.name ?? ''] },
              { name: T.used, by: ['used', ({ lastUsedAt }) => rankOfTime(lastUsedAt)] },
              {
                name: T.ends,
                by: ['ends', ({ revokedAt, expiresAt }) => rankOfTime(revokedAt ?? expiresAt)],
              },
              { name: '' },
            ]}
            rows={rows}
            order={order}
          >
            {(key) => (
              <tr key={key.id}>
                <td class="name">
                  {key.name}
                  <span class="sub tabular">
                    key_…{key.last4} · {printDay(key.createdAt)}
                  </span>
                </td>
                <td>{key.scopes.join(', ')}</td>
                <td>
                  <MadeBy maker={key.madeBy} />
                </td>
                <td class="time">
                  {key.lastUsedAt === null ? T.never : printAge(key.lastUsedAt, nowMs())}
                </td>
                <td class="time">
                  {key.revokedAt !== null ? (
                    <Pill tone="faint">{T.revokedAt(printDay(key.revokedAt))}</Pill>
                  ) : key.expiresAt === null ? (
                    T.noEnd
                  ) : Date.parse(key.expiresAt) <= nowMs() ? (
                    <Pill tone="faint">{T.endedAt(printDay(key.expiresAt))}</Pill>
                  ) : (
                    printTime(key.expiresAt)
                  )}
                </td>
                <td class="acts">
                  {isInForce(key) && (
                    <>
                      {isAdmin && (
                        <Button onClick={() => setOpen({ kind: 'replace', key })}>
                          {T.replace}
                        </Button>
                      )}
                      <Button onClick={() => setOpen({ kind: 'revoke', key })}>{T.revoke}</Button>
                    </>
                  )}
                </td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
      {open?.kind === 'new' && <NewKeyDialog onMade={onMade} onClose={close} />}
      {open?.kind === 'replace' && (
        <ReplaceKeyDialog apiKey={open.key} onMade={onMade} onClose={close} />
      )}
      {open?.kind === 'revoke' && (
        <SureDialog
          title={T.revokeTitle(open.key.name)}
          act={T.revoke}
          onClose={close}
          work={async () => {
            await ask(`/api-keys/${open.key.id}`, { method: 'DELETE' })
            list.again()
          }}
        >
          <p>{T.revokeText}</p>
        </SureDialog>
      )}
      {made !== undefined && (
        <SecretDialog title={T.made} secret={made} onClose={() => setMade(undefined)}>
          <p class="soft">{T.madeHelp}</p>
          <pre class="secret">{`curl ${location.origin}/api/portal/v1/license/status \\
  -H 'Authorization: Bearer ${made}'`}</pre>
        </SecretDialog>
      )}
    </Page>
  )
}

function isInForce({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs())
}
