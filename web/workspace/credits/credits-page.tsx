import { useState } from 'preact/hooks'
import { useAsked } from '../../shared/asked.ts'
import { AskedPart } from '../../shared/parts/asked-part.tsx'
import { Button } from '../../shared/parts/button.tsx'
import { Empty } from '../../shared/parts/empty.tsx'
import { useSort } from '../../shared/sort/use-sort.ts'
import { ask } from '../api/ask.ts'
import { hasRole } from '../api/session.ts'
import type { CreditBalance, Movement } from '../api/types.ts'
import { useList } from '../api/use-list.ts'
import { Explained } from '../parts/explained.tsx'
import { ListPart } from '../parts/list-part.tsx'
import { Page } from '../parts/page.tsx'
import { Pill } from '../parts/pill.tsx'
import { printDay, printMoments, printMoney, printRounded, printTime } from '../parts/print.ts'
import { rankOfAmount, rankOfTime } from '../parts/ranks.ts'
import { Stat } from '../parts/stat.tsx'
import { Table } from '../parts/table.tsx'
import { PATHS } from '../shell/paths.ts'
import { WORKSPACE } from '../texts.ts'
import { GrantDialog, VoidDialog } from './grant-dialog.tsx'

const T = WORKSPACE.credits
const TONES = {
  upcoming: 'info',
  active: 'good',
  used: 'faint',
  expired: 'faint',
  voided: 'faint',
} as const

/** What is there, of which grants, and each movement with its reason. */
export function CreditsPage() {
  const balance = useAsked('credits', (signal) => ask<CreditBalance>('/credits', { signal }))
  const movements = useList<Movement>('/credits/movements')
  const order = useSort('sort-grants')
  const [isGranting, setGranting] = useState(false)
  const [voided, setVoided] = useState<string>()
  const again = () => {
    balance.again()
    movements.again()
  }
  const isOperator = hasRole('operator')
  const currency = balance.answer?.currency ?? ''
  return (
    <Page
      title={WORKSPACE.pages.credits}
      intro={T.intro}
      acts={
        isOperator && (
          <Button look="main" onClick={() => setGranting(true)}>
            {T.grant}
          </Button>
        )
      }
    >
      <AskedPart asked={balance}>
        {({ amount, upcoming, uncovered, grants }) => (
          <>
            <div class="stats">
              <Stat
                label={T.balance}
                value={
                  <Explained why={[WORKSPACE.overview.whyCredits(printMoney(amount, currency))]}>
                    {printRounded(amount, currency)}
                  </Explained>
                }
              >
                {T.balanceHelp}
              </Stat>
              <Stat label={T.upcoming} value={printRounded(upcoming, currency)}>
                {T.upcomingHelp}
              </Stat>
              <Stat label={T.uncovered} value={printRounded(uncovered, currency)}>
                {T.uncoveredHelp}
              </Stat>
            </div>
            <section class="part">
              <h2>{T.grants}</h2>
              {grants.length === 0 ? (
                <p class="soft">{T.noGrants}</p>
              ) : (
                <Table
                  label={T.grants}
                  columns={[
                    { name: T.source, by: ['source', ({ source }) => source] },
                    { name: T.state, by: ['state', ({ state }) => T.states[state]] },
                    {
                      name: T.granted,
                      isNumber: true,
                      by: ['granted', ({ amount }) => rankOfAmount(amount, currency)],
                    },
                    {
                      name: T.left,
                      isNumber: true,
                      by: ['left', ({ available }) => rankOfAmount(available, currency)],
                    },
                    { name: T.pays, by: ['pays', ({ effectiveAt }) => rankOfTime(effectiveAt)] },
                    {
                      name: T.priority,
                      isNumber: true,
                      by: ['priority', ({ priority }) => priority],
                    },
                    ...(isOperator ? [{ name: '' }] : []),
                  ]}
                  rows={grants}
                  order={order}
                >
                  {(grant) => (
                    <tr key={grant.id}>
                      <td class="name">
                        <Source text={grant.source} />
                      </td>
                      <td>
                        <Pill tone={TONES[grant.state]}>{T.states[grant.state]}</Pill>
                      </td>
                      <td class="number">{printRounded(grant.amount, currency)}</td>
                      <td class="number">
                        <Explained
                          why={[
                            T.whyLeft({
                              amount: printMoney(grant.amount, currency),
                              burned: printMoney(grant.burned, currency),
                              expired: printMoney(grant.expired, currency),
                              voided: printMoney(grant.voided, currency),
                              left: printMoney(grant.available, currency),
                            }),
                          ]}
                        >
                          {printRounded(grant.available, currency)}
                        </Explained>
                      </td>
                      <td class="time">
                        {printDay(grant.effectiveAt)} –{' '}
                        {grant.expiresAt === null ? T.noEnd : printDay(grant.expiresAt)}
                      </td>
                      <td class="number">{grant.priority}</td>
                      {isOperator && (
                        <td class="acts">
                          {(grant.state === 'active' || grant.state === 'upcoming') && (
                            <Button onClick={() => setVoided(grant.id)}>{T.void}</Button>
                          )}
                        </td>
                      )}
                    </tr>
                  )}
                </Table>
              )}
            </section>
          </>
        )}
      </AskedPart>
      <section class="part">
        <h2>{T.movements}</h2>
        <ListPart
          list={movements}
          wordsOf={({ explanation, kind }) => `${kind} ${explanation}`}
          empty={
            <Empty title={T.none}>
              <p class="soft">{T.noneText}</p>
            </Empty>
          }
        >
          {(rows, order) => (
            <Table
              label={T.movements}
              columns={[
                { name: T.at, by: ['at', ({ at }) => rankOfTime(at)] },
                { name: T.kind, by: ['kind', ({ kind }) => T.kinds[kind]] },
                {
                  name: T.amount,
                  isNumber: true,
                  by: ['amount', ({ entries }) => rankOfAmount(changeOf(entries), currency)],
                },
                { name: T.why },
              ]}
              rows={rows}
              order={order}
            >
              {({ number, at, kind, explanation, entries }) => (
                <tr key={number}>
                  <td class="time">{printTime(at)}</td>
                  <td>{T.kinds[kind]}</td>
                  <td class="number">
                    <Explained
                      why={[
                        T.movementNumber(number),
                        ...entries.map(({ account, amount }) =>
                          T.entry(account, printMoney(amount, currency)),
                        ),
                        T.addUp,
                      ]}
                    >
                      {printRounded(changeOf(entries), currency)}
                    </Explained>
                  </td>
                  <td class="wide">{readable(explanation, balance.answer?.grants)}</td>
                </tr>
              )}
            </Table>
          )}
        </ListPart>
      </section>
      {isGranting && (
        <GrantDialog currency={currency} onDone={again} onClose={() => setGranting(false)} />
      )}
      {voided !== undefined && (
        <VoidDialog id={voided} onDone={again} onClose={() => setVoided(undefined)} />
      )}
    </Page>
  )
}

/** An offer leads to itself. */
function Source({ text }: { readonly text: string }) {
  const offer = /^offer (ofr_\w+)$/.exec(text)?.[1]
  return offer === undefined ? text : <a href={`${PATHS.offers}/${offer}`}>{T.ofOffer}</a>
}

/** Days for moments, two digits of each sum, and what a grant is called for its id: all of it
 *  stands in the API. */
function readable(explanation: string, grants: CreditBalance['grants'] = []): string {
  const named = (id: string) => {
    const source = grants.find((grant) => grant.id === id)?.source ?? id
    return `“${source.startsWith('offer ') ? T.ofOffer : source}”`
  }
  const short = explanation
    .replaceAll(/(\d{4}-\d\d-\d\d)T[\d:.]+Z/g, '$1')
    .replaceAll(/(\.\d\d)\d+(?= [A-Z]{3}\b)/g, '$1')
    .replaceAll(/grt_\w+/g, named)
    // The usage of a day has no other day.
    .replace(/^(Usage of (\S+?):? .*GiB) of \2 at/, '$1 at')
  return printMoments(short)
}

/** What it does to what is available; where it does nothing to that, what it moves. */
function changeOf(entries: Movement['entries']): string {
  const own = entries.filter(({ account }) => account === 'available')
  const [only = entries[0]] = own
  if (own.length < 2) return only?.amount ?? '0'
  return addDecimals(own.map(({ amount }) => amount))
}

/** Exact: decimal texts of at most 12 digits after the point. */
function addDecimals(texts: readonly string[]): string {
  const SCALE = 12
  const sum = texts.reduce((all, text) => {
    const [whole = '0', part = ''] = text.replace('-', '').split('.')
    const units = BigInt(whole + part.padEnd(SCALE, '0'))
    return all + (text.startsWith('-') ? -units : units)
  }, 0n)
  const digits = String(sum < 0n ? -sum : sum).padStart(SCALE + 1, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`
}
