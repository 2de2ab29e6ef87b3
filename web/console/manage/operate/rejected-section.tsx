import { useState } from 'preact/hooks'
import { BASE } from '../../../shared/address.ts'
import { runCommand } from '../../../shared/api/sdk.ts'
import { searchTable } from '../../../shared/api/search.ts'
import { session } from '../../../shared/api/session.ts'
import { useAsked } from '../../../shared/asked.ts'
import { printCount } from '../../../shared/format.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { Button } from '../../../shared/parts/button.tsx'
import { type Ranks, sortBy } from '../../../shared/sort/sort.ts'
import { SortHead } from '../../../shared/sort/sort-head.tsx'
import { useSort } from '../../../shared/sort/use-sort.ts'
import { useAct } from '../../../shared/use-act.ts'
import { Section } from '../parts/section.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { namesOf } from '../parts/words.ts'
import { MANAGE } from '../texts.ts'
import { OPERATE_TEXTS } from './texts.ts'

const T = OPERATE_TEXTS.rejected
const SCOPE = 'in log.System->rejected'
const INTERVAL = 'last14Days'

type Counted = Awaited<ReturnType<typeof searchTable>>['rows'][number]
const RANKS: Ranks<Counted> = {
  reason: ([reason]) => reason || null,
  account: ([, account]) => account || null,
  count: ([, , count]) => Number(count),
}

/** By reason and listener, with what a replay would do. */
export function RejectedSection() {
  const asked = useAsked('rejected', (signal) =>
    searchTable(
      { query: `* ${SCOPE} | count group by reason, account`, interval: INTERVAL, limit: 200 },
      signal,
    ),
  )
  const order = useSort()
  return (
    <Section title={MANAGE.pages.rejected} intro={T.intro}>
      <AskedPart asked={asked}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p class="objects-none">
              {session.value?.isAdministrator === true ? T.none : T.noneSeen}
            </p>
          ) : (
            <TableBox label={MANAGE.pages.rejected} look="cards">
              <thead>
                <tr>
                  <SortHead column="reason" text={T.reason} {...order} />
                  <SortHead column="account" text={T.account} {...order} />
                  <SortHead class="number" column="count" text={T.count} isDownFirst {...order} />
                  <th />
                </tr>
              </thead>
              <tbody>
                {sortBy(rows, RANKS, order.sort).map(([reason, account, count]) => (
                  <Row
                    key={`${reason} ${account}`}
                    reason={String(reason ?? '')}
                    account={String(account ?? '')}
                    count={String(count ?? '')}
                    onDone={asked.again}
                  />
                ))}
              </tbody>
            </TableBox>
          )
        }
      </AskedPart>
    </Section>
  )
}

type RowProps = {
  readonly reason: string
  readonly account: string
  readonly count: string
  readonly onDone: () => void
}

function Row({ reason, account, count, onDone }: RowProps) {
  const [told, setTold] = useState<string>()
  const [isPlanned, setPlanned] = useState(false)
  const act = useAct(() => undefined)
  const replay = (dryRun: boolean) =>
    act.run(async () => {
      const which = { ...(reason === '' ? {} : { reason }), ...(account === '' ? {} : { account }) }
      const answer = await runCommand('replayRejected', { ...which, dryRun: String(dryRun) })
      const again = Object.values(answer.rejectedAgain).reduce((sum, one) => sum + one, 0)
      const more = answer.more ? ` ${T.more}` : ''
      setTold((dryRun ? T.planned(answer.replayed, again) : T.done(answer.replayed)) + more)
      setPlanned(dryRun && answer.replayed > 0)
      if (!dryRun) onDone()
    })
  const code = namesOf(T.reasons).find((one) => one === reason)
  const query = `reason = ${JSON.stringify(reason)} ${SCOPE}`
  const look = new URLSearchParams({ query, interval: INTERVAL })
  return (
    <tr>
      <td class="objects-name">
        {reason}
        {code !== undefined && <p class="field-help">{T.reasons[code]}</p>}
      </td>
      <td>{account}</td>
      <td class="number" data-unit={T.unit(Number(count))}>
        {printCount(Number(count))}
      </td>
      <td class="objects-acts">
        <a href={`${BASE}/?${look}`}>{T.look}</a>
        {session.value?.isAdministrator === true && (
          <Button disabled={act.isBusy} onClick={() => replay(true)}>
            {T.tryReplay}
          </Button>
        )}
        {isPlanned && (
          <Button look="main" disabled={act.isBusy} onClick={() => replay(false)}>
            {T.replay}
          </Button>
        )}
        <span role="status">{act.error ?? told}</span>
      </td>
    </tr>
  )
}
