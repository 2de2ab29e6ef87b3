import { useState } from 'preact/hooks'
import type { Organization, Person } from '../../../schemas/portal/accounts.ts'
import type { DeploymentTold } from '../../../schemas/portal/deployments.ts'
import type { OfferTold } from '../../../schemas/portal/offers.ts'
import { ROLES_OF } from '../../../schemas/portal/roles.ts'
import { useAsked } from '../../shared/asked.ts'
import { nowMs } from '../../shared/clock.ts'
import { printAge } from '../../shared/format.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { useAct } from '../../shared/use-act.ts'
import { withParameters } from '../../shared/with-parameters.ts'
import { ask } from '../api/ask.ts'
import { hasRole } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { DeploymentState } from '../deployments/deployment-state.tsx'
import { OfferState } from '../offers/offer-state.tsx'
import { FormError } from '../parts/form-error.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { printDay, printMoney } from '../parts/print.ts'
import { rankOfAmount, rankOfTime } from '../parts/ranks.ts'
import { Table } from '../parts/table.tsx'
import { InviteDialog } from '../people/invite-dialog.tsx'
import { switchTo } from '../shell/acting.ts'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { OrganizationLicenses } from './organization-licenses.tsx'

const T = WORKSPACE.organization

/** Everything of one organization that its seller and operator look after. */
export function OrganizationPage({ id }: { readonly id: string }) {
  const path = `/organizations/${id}`
  const asked = useAsked(path, (signal) => ask<Organization>(path, { signal }))
  const act = useAct(() => undefined)
  return (
    <Page
      title={asked.answer?.name ?? WORKSPACE.customers.one}
      back={{ path: PATHS.customers, name: WORKSPACE.pages.customers }}
      acts={
        <Button disabled={act.isBusy} onClick={() => act.run(() => switchTo(id))}>
          {T.act}
        </Button>
      }
    >
      <FormError error={act.error} />
      <AskedPart asked={asked}>
        {(organization) => (
          <>
            <Facts organization={organization} />
            {organization.kind === 'customer' && (
              <OrganizationLicenses organization={organization} />
            )}
            {hasRole('operator') && <People organization={organization} />}
            {organization.kind === 'customer' && <Deployments id={id} />}
            {organization.kind === 'customer' && <Offers id={id} />}
          </>
        )}
      </AskedPart>
    </Page>
  )
}

function Facts({ organization }: { readonly organization: Organization }) {
  const { kind, channel, region, currency, createdAt } = organization
  const C = WORKSPACE.customers
  return (
    <section class="card">
      <dl class="facts">
        <dt>{C.kind}</dt>
        <dd>{C.kinds[kind]}</dd>
        <dt>{kind === 'channel' ? C.channelCode : C.channel}</dt>
        <dd>{channel ?? C.direct}</dd>
        <dt>{C.region}</dt>
        <dd>{region}</dd>
        <dt>{C.currency}</dt>
        <dd>{currency}</dd>
        <dt>{C.since}</dt>
        <dd>{printDay(createdAt)}</dd>
      </dl>
    </section>
  )
}

function People({ organization: { id, kind } }: { readonly organization: Organization }) {
  const list = useList<Person>('/people', id)
  const [isInviting, setInviting] = useState(false)
  const P = WORKSPACE.people
  return (
    <section class="part">
      <div class="card-head">
        <h2>{T.people}</h2>
        <Button onClick={() => setInviting(true)}>{P.invite}</Button>
      </div>
      <ListPart list={list} sortAs="sort-people" empty={<p class="soft">{T.noPeople}</p>}>
        {(rows, order) => (
          <Table
            label={T.people}
            columns={[
              { name: P.name, by: ['name', ({ name }) => name] },
              { name: P.role },
              { name: P.since, by: ['since', ({ createdAt }) => rankOfTime(createdAt)] },
            ]}
            rows={rows}
            order={order}
          >
            {({ id: person, name, email, memberships, createdAt }) => (
              <tr key={person}>
                <td class="name">
                  {name}
                  <span class="sub">{email}</span>
                </td>
                <td>
                  {memberships
                    .filter(({ organizationId }) => organizationId === id)
                    .map(({ role }) => WORKSPACE.roles[role])
                    .join(', ')}
                </td>
                <td class="time">{printDay(createdAt)}</td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
      {isInviting && (
        <InviteDialog
          as={id}
          roles={ROLES_OF[kind].toReversed()}
          onDone={list.again}
          onClose={() => setInviting(false)}
        />
      )}
    </section>
  )
}

function Deployments({ id }: { readonly id: string }) {
  const list = useList<DeploymentTold>('/deployments', id)
  const D = WORKSPACE.deployments
  return (
    <section class="part">
      <h2>{T.deployments}</h2>
      <ListPart list={list} sortAs="sort-deployments" empty={<p class="soft">{T.noDeployments}</p>}>
        {(rows, order) => (
          <Table
            label={T.deployments}
            columns={[
              { name: D.name, by: ['name', ({ name }) => name] },
              { name: D.state, by: ['state', ({ state }) => D.states[state]] },
              { name: D.version, by: ['version', ({ version }) => version] },
              { name: D.lastSeen, by: ['seen', ({ lastSeenAt }) => rankOfTime(lastSeenAt)] },
            ]}
            rows={rows}
            order={order}
          >
            {(row) => (
              <tr key={row.id}>
                <td class="name">
                  <a href={withParameters(`${PATHS.deployments}/${row.id}`, { for: id })}>
                    {row.name}
                  </a>
                </td>
                <td>
                  <DeploymentState deployment={row} />
                </td>
                <td>{row.version}</td>
                <td class="time">{printAge(row.lastSeenAt, nowMs())}</td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
    </section>
  )
}

function Offers({ id }: { readonly id: string }) {
  const list = useList<OfferTold>('/offers', id)
  const O = WORKSPACE.offers
  return (
    <section class="part">
      <h2>{T.offers}</h2>
      <ListPart list={list} sortAs="sort-offers" empty={<p class="soft">{T.noOffers}</p>}>
        {(rows, order) => (
          <Table
            label={T.offers}
            columns={[
              { name: O.title, by: ['title', ({ title }) => title] },
              { name: O.state, by: ['state', ({ state }) => O.states[state]] },
              {
                name: O.due,
                isNumber: true,
                by: ['due', ({ quote }) => rankOfAmount(quote.totals.due, quote.currency)],
              },
              { name: O.validUntil, by: ['until', ({ validUntil }) => rankOfTime(validUntil)] },
            ]}
            rows={rows}
            order={order}
          >
            {({ id: offer, title, state, quote, validUntil }) => (
              <tr key={offer}>
                <td class="name">
                  <a href={withParameters(`${PATHS.offers}/${offer}`, { for: id })}>{title}</a>
                </td>
                <td>
                  <OfferState state={state} />
                </td>
                <td class="number">{printMoney(quote.totals.due, quote.currency)}</td>
                <td class="time">{printDay(validUntil)}</td>
              </tr>
            )}
          </Table>
        )}
      </ListPart>
    </section>
  )
}
