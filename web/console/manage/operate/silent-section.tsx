import { address, changeParameters } from '../../../shared/address.ts'
import { readCollected } from '../../../shared/api/collected.ts'
import { session } from '../../../shared/api/session.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { type Ranks, sortBy } from '../../../shared/sort/sort.ts'
import { SortHead } from '../../../shared/sort/sort-head.tsx'
import { useSort } from '../../../shared/sort/use-sort.ts'
import { Section } from '../parts/section.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { mayDo } from '../section-rights.ts'
import { MANAGE } from '../texts.ts'
import { FellSilent } from './fell-silent.tsx'

const T = MANAGE.silent
const INTERVALS = ['last60Minutes', 'last24Hours', 'last7Days', 'last14Days'] as const

/** Of the logs that lie in no folder. */
const ROOT = 'ROOT'

type Folder = Awaited<ReturnType<typeof readCollected>>[number]
const RANKS: Ranks<Folder> = {
  folder: ({ name }) => name,
  logs: ({ totalLogs }) => totalLogs,
  collected: ({ collectedLogs }) => collectedLogs,
  silent: ({ silent }) => silent.length,
}

/** Which logs fell silent, and which took no event lately. */
export function SilentSection() {
  const { parameters } = address.value
  const interval =
    INTERVALS.find((one) => one === parameters.get('interval')) ?? ('last24Hours' as const)
  const order = useSort()
  const asked = useAsked(interval, (signal) => readCollected(interval, signal))
  return (
    <Section
      title={MANAGE.pages.silent}
      intro={T.intro}
      acts={
        <select
          class="input objects-interval"
          aria-label={T.time}
          value={interval}
          onChange={(event) => changeParameters({ interval: event.currentTarget.value })}
        >
          {INTERVALS.map((one) => (
            <option key={one} value={one}>
              {T.intervals[one]}
            </option>
          ))}
        </select>
      }
    >
      {mayDo('system.operate', session.value) && <FellSilent />}
      <section class="part">
        <h2>{T.byFolder}</h2>
        <AskedPart asked={asked}>
          {(folders) => (
            <TableBox label={T.byFolder}>
              <thead>
                <tr>
                  <SortHead column="folder" text={T.folder} {...order} />
                  <SortHead class="number" column="logs" text={T.logs} isDownFirst {...order} />
                  <SortHead
                    class="number"
                    column="collected"
                    text={T.collected}
                    isDownFirst
                    {...order}
                  />
                  <SortHead column="silent" text={T.silent} isDownFirst {...order} />
                </tr>
              </thead>
              <tbody>
                {sortBy(folders, RANKS, order.sort).map(
                  ({ name, totalLogs, collectedLogs, silent }) => (
                    <tr key={name}>
                      <td class="objects-name">
                        {name === ROOT ? <span class="soft">{T.noFolder}</span> : name}
                      </td>
                      <td class="number">{totalLogs}</td>
                      <td class="number">{collectedLogs}</td>
                      <td class="objects-wide">{silent.join(', ')}</td>
                    </tr>
                  ),
                )}
              </tbody>
            </TableBox>
          )}
        </AskedPart>
      </section>
    </Section>
  )
}
