import type { OfferTold } from '../../../schemas/portal/offers.ts'
import { address, changeParameters } from '../../shared/address.ts'
import { Empty } from '../../shared/parts/empty.tsx'
import { Select } from '../../shared/parts/select.tsx'
import { withParameters } from '../../shared/with-parameters.ts'
import { isSeller, session } from '../api/session.ts'
import { useList } from '../api/use-list.ts'
import { useOrganizationNames } from '../operate/use-organizations.ts'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { printDay, printMoney } from '../parts/print.ts'
import { rankOfAmount, rankOfTime } from '../parts/ranks.ts'
import { type Column, Table } from '../parts/table.tsx'
import { PATHS } from '../shell/paths.ts'
import { namesOf, WORKSPACE } from '../texts.ts'
import { OfferState } from './offer-state.tsx'

const T = WORKSPACE.offers

export function OfferList() {
  const list = useList<OfferTold>('/offers')
  const wanted = address.value.parameters.get('state') ?? ''
  const isOfAll = session.value?.organization?.kind === 'vendor'
  const names = useOrganizationNames(isOfAll)
  const nameOf = (id: string) => names.get(id) ?? id
  const customer: Column<OfferTold> = {
    name: WORKSPACE.customers.one,
    by: ['organization', ({ organizationId }) => nameOf(organizationId)],
  }
  const newOffer = isSeller() && (
    <a class="button button-main" href={`${PATHS.offers}/new`}>
      {T.new}
    </a>
  )
  return (
    <Page
      title={WORKSPACE.pages.offers}
      intro={isOfAll ? T.introAll : isSeller() ? T.introSeller : T.intro}
      acts={newOffer}
    >
      <ListPart
        list={list}
        tools={
          <Select
            label={T.state}
            name="state"
            value={wanted}
            options={[
              ['', T.anyState],
              ...namesOf(T.states).map((state): [string, string] => [state, T.states[state]]),
            ]}
            onChoose={(state) => changeParameters({ state })}
          />
        }
        wordsOf={({ title, state, organizationId }) =>
          `${title} ${state} ${nameOf(organizationId)}`
        }
        empty={
          <Empty title={T.none}>
            <p class="soft">{isOfAll ? T.noneAll : isSeller() ? T.noneSeller : T.noneText}</p>
            {newOffer || <a href={PATHS.catalog}>{WORKSPACE.pages.catalog}</a>}
          </Empty>
        }
      >
        {(rows, order) => {
          const shown = rows.filter(({ state }) => wanted === '' || state === wanted)
          if (shown.length === 0) return <p class="soft">{T.noneInState}</p>
          return (
            <Table
              label={WORKSPACE.pages.offers}
              columns={[
                { name: T.title, by: ['title', ({ title }) => title] },
                ...(isOfAll ? [customer] : []),
                { name: T.state, by: ['state', ({ state }) => T.states[state]] },
                {
                  name: T.net,
                  isNumber: true,
                  by: ['net', ({ quote }) => rankOfAmount(quote.totals.net, quote.currency)],
                },
                {
                  name: T.due,
                  isNumber: true,
                  by: ['due', ({ quote }) => rankOfAmount(quote.totals.due, quote.currency)],
                },
                { name: T.validUntil, by: ['until', ({ validUntil }) => rankOfTime(validUntil)] },
              ]}
              rows={shown}
              order={order}
            >
              {({ id, organizationId, title, state, version, quote, validUntil }) => (
                <tr key={id}>
                  <td class="name">
                    <a
                      href={withParameters(
                        `${PATHS.offers}/${id}`,
                        isOfAll ? { for: organizationId } : {},
                      )}
                    >
                      {title}
                    </a>
                    <span class="sub">
                      {T.version(version)}
                      {quote.term !== null && ` · ${quote.term.name}`}
                    </span>
                  </td>
                  {isOfAll && (
                    <td>
                      <a href={`${PATHS.customers}/${organizationId}`}>{nameOf(organizationId)}</a>
                    </td>
                  )}
                  <td>
                    <OfferState state={state} />
                  </td>
                  <td class="number">{printMoney(quote.totals.net, quote.currency)}</td>
                  <td class="number strong">{printMoney(quote.totals.due, quote.currency)}</td>
                  <td class="time">{printDay(validUntil)}</td>
                </tr>
              )}
            </Table>
          )
        }}
      </ListPart>
    </Page>
  )
}
