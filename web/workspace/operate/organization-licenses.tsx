import { useState } from 'preact/hooks'
import type { LicenseTold, Organization } from '../../../schemas/portal/accounts.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Menu, type MenuItem } from '../../shared/parts/menu.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { hasRole } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { SecretDialog, SureDialog } from '../parts/dialogs.tsx'
import { FormError } from '../parts/form-error.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { printBytes, printDay } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { WORKSPACE } from '../texts.ts'
import { LicenseDialog, type LicenseWithKey } from './license-dialog.tsx'
import { LicenseState } from './license-state.tsx'

const T = WORKSPACE.licenses

/** What is asked before it is done. */
type Asked = {
  readonly title: string
  readonly text: string
  readonly act: string
  readonly look?: 'main'
  readonly work: () => Promise<void>
}

/** Licences of a customer, and what an operator does with them. */
export function OrganizationLicenses({ organization }: { readonly organization: Organization }) {
  const { id: as } = organization
  const list = useList<LicenseTold>('/licenses', as)
  const [isMaking, setMaking] = useState(false)
  const [key, setKey] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  const act = useAct(list.again)
  const canChange = hasRole('operator')
  const change = async ({ id }: LicenseTold, state: string) => {
    await ask(`/licenses/${id}`, { method: 'PATCH', body: { state }, as })
    list.again()
  }
  const itemsOf = (license: LicenseTold): readonly MenuItem[] => {
    const { id, name, state } = license
    const keys = keysOf(license)
    if (state === 'revoked') return []
    return [
      {
        name: T.newKey,
        onChoose: () =>
          setAsked({
            ...{ title: T.newKeyTitle(name), text: T.newKeyText(keys.length), act: T.newKey },
            look: 'main',
            work: async () => {
              const path = `/licenses/${id}/keys`
              setKey((await ask<LicenseWithKey>(path, { method: 'POST', as })).licenseKey)
              list.again()
            },
          }),
      },
      ...keys.map((one) => ({
        name: T.revokeKey(one.last4),
        onChoose: () =>
          setAsked({
            ...{ title: T.revokeKeyTitle(one.last4), text: T.revokeKeyText, act: T.revoke },
            work: async () => {
              await ask(`/licenses/${id}/keys/${one.id}`, { method: 'DELETE', as })
              list.again()
            },
          }),
      })),
      state === 'suspended'
        ? {
            name: T.resume,
            onChoose: () =>
              act.run(async () => {
                await change(license, 'active')
                toast(T.resumed)
              }),
          }
        : {
            name: T.suspend,
            onChoose: () =>
              setAsked({
                ...{ title: T.suspendTitle(name), text: T.suspendText(keys.length) },
                ...{ act: T.suspend, work: () => change(license, 'suspended') },
              }),
          },
      {
        name: T.revoke,
        onChoose: () =>
          setAsked({
            ...{ title: T.revokeTitle(name), text: T.revokeText, act: T.revoke },
            work: () => change(license, 'revoked'),
          }),
      },
    ]
  }
  return (
    <section class="part">
      <div class="card-head">
        <h2>{T.title}</h2>
        {canChange && <Button onClick={() => setMaking(true)}>{T.add}</Button>}
      </div>
      <FormError error={act.error} />
      <ListPart list={list} sortAs="sort-licences" empty={<p class="soft">{T.noneOne}</p>}>
        {(rows, order) => (
          <Table
            label={T.title}
            columns={[
              { name: T.name, by: ['name', ({ name }) => name] },
              { name: T.state, by: ['state', ({ state }) => T.states[state]] },
              { name: T.plan, by: ['plan', ({ plan }) => plan.name] },
              { name: T.valid, by: ['valid', ({ validTo }) => rankOfTime(validTo)] },
              { name: T.keys },
              { name: '' },
            ]}
            rows={rows}
            order={order}
          >
            {(license) => (
              <tr key={license.id}>
                <td class="name">{license.name}</td>
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
                <td>
                  {keysOf(license)
                    .map(({ last4 }) => T.key(last4))
                    .join(', ') || <span class="soft">{T.noKey}</span>}
                </td>
                <td class="acts">
                  {canChange && itemsOf(license).length > 0 && (
                    <Menu
                      label="⋯"
                      title={T.acts(license.name)}
                      look="bordered"
                      items={itemsOf(license)}
                    />
                  )}
                </td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
      {isMaking && (
        <LicenseDialog
          organization={organization}
          onDone={(made) => {
            setKey(made)
            list.again()
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {key !== undefined && (
        <SecretDialog title={T.keyTitle} secret={key} onClose={() => setKey(undefined)}>
          <p class="soft">{T.keyText}</p>
          <pre class="secret">{T.howTo}</pre>
        </SecretDialog>
      )}
      {asked !== undefined && (
        <SureDialog
          title={asked.title}
          act={asked.act}
          {...(asked.look && { look: asked.look })}
          work={asked.work}
          onClose={() => setAsked(undefined)}
        >
          <p>{asked.text}</p>
        </SureDialog>
      )}
    </section>
  )
}

/** In force. */
function keysOf({ keys }: LicenseTold) {
  return keys.filter(({ revokedAt }) => revokedAt === null)
}

export function printVolume({ plan: { volumeBytesPerDay } }: LicenseTold): string {
  return volumeBytesPerDay === 0 ? T.unlimited : T.perDay(printBytes(volumeBytesPerDay))
}
