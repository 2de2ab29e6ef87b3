import { useState } from 'preact/hooks'
import type { Person } from '../../../schemas/portal/accounts.ts'
import { type PersonRole, ROLES_OF } from '../../../schemas/portal/roles.ts'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { toast } from '../../shared/parts/toast.tsx'
import { useAct } from '../../shared/use-act.ts'
import { ask } from '../api/ask.ts'
import { session } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { FormError } from '../parts/form-error.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { Pill } from '../parts/pill.tsx'
import { printDay } from '../parts/print.ts'
import { rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { WORKSPACE } from '../texts.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'

const T = WORKSPACE.people

export function PeoplePage() {
  const list = useList<Person>('/people')
  const [isInviting, setInviting] = useState(false)
  const [removed, setRemoved] = useState<Person>()
  const act = useAct(list.again)
  const own = session.value?.person.id
  const organization = session.value?.organization
  const roles = ROLES_OF[organization?.kind ?? 'customer']
  const roleOf = ({ memberships }: Person) =>
    memberships.find(({ organizationId }) => organizationId === organization?.id)?.role
  const change = (id: string, role: PersonRole) =>
    act.run(async () => {
      await ask(`/people/${id}`, { method: 'PATCH', body: { role } })
      toast(T.changed)
    })
  return (
    <Page
      title={WORKSPACE.pages.people}
      intro={T.intro(organization?.name ?? '')}
      acts={
        <Button look="main" onClick={() => setInviting(true)}>
          {T.invite}
        </Button>
      }
    >
      <FormError error={act.error} />
      <ListPart
        list={list}
        wordsOf={({ name, email }) => `${name} ${email}`}
        empty={
          <Empty title={T.none}>
            <p class="soft">{T.noneText}</p>
          </Empty>
        }
      >
        {(rows, order) => (
          <Table
            label={WORKSPACE.pages.people}
            columns={[
              { name: T.name, by: ['name', ({ name }) => name] },
              {
                name: T.role,
                by: ['role', (person) => WORKSPACE.roles[roleOf(person) ?? 'customer_viewer']],
              },
              {
                name: T.factor,
                by: ['factor', ({ hasSecondFactor }) => (hasSecondFactor ? T.on : T.off)],
              },
              { name: T.since, by: ['since', ({ createdAt }) => rankOfTime(createdAt)] },
              { name: '' },
            ]}
            rows={rows}
            order={order}
          >
            {(person) => (
              <tr key={person.id}>
                <td class="name">
                  {person.name}
                  <span class="sub">{person.email}</span>
                </td>
                <td>
                  {person.id === own ? (
                    WORKSPACE.roles[roleOf(person) ?? 'customer_viewer']
                  ) : (
                    <select
                      class="input"
                      aria-label={T.roleOf(person.name)}
                      value={roleOf(person)}
                      disabled={act.isBusy}
                      onChange={({ currentTarget: { value } }) => {
                        const role = roles.find((one) => one === value)
                        if (role !== undefined) change(person.id, role)
                      }}
                    >
                      {roles.map((role) => (
                        <option key={role} value={role}>
                          {WORKSPACE.roles[role]}
                        </option>
                      ))}
                    </select>
                  )}
                </td>
                <td>
                  <span class="row wrap">
                    <Pill tone={person.hasSecondFactor ? 'good' : 'faint'}>
                      {person.hasSecondFactor ? T.on : T.off}
                    </Pill>
                    {!person.isEnabled && <Pill tone="error">{T.disabled}</Pill>}
                  </span>
                </td>
                <td class="time">{printDay(person.createdAt)}</td>
                <td class="acts">
                  {person.id === own ? (
                    <span class="soft">{T.you}</span>
                  ) : (
                    <>
                      <Button
                        disabled={act.isBusy}
                        onClick={() =>
                          act.run(async () => {
                            await ask(`/people/${person.id}/invitation`, { method: 'POST' })
                            toast(T.invited(person.email))
                          })
                        }
                      >
                        {T.again}
                      </Button>
                      <Button onClick={() => setRemoved(person)}>{T.remove}</Button>
                    </>
                  )}
                </td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
      {isInviting && (
        <InviteDialog roles={roles} onDone={list.again} onClose={() => setInviting(false)} />
      )}
      {removed !== undefined && (
        <RemoveDialog
          person={removed}
          organization={organization?.name ?? ''}
          onDone={list.again}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  )
}
