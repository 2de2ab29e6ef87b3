import { address, go } from '../../../shared/address.ts'
import { readCollected } from '../../../shared/api/collected.ts'
import { useAsked } from '../../../shared/asked.ts'
import { AskedPart } from '../../../shared/parts/asked-part.tsx'
import { withParameters } from '../../../shared/with-parameters.ts'
import { Section } from '../parts/section.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { MANAGE } from '../texts.ts'
import { FellSilent } from './fell-silent.tsx'

const T = MANAGE.silent
const INTERVALS = ['last60Minutes', 'last24Hours', 'last7Days', 'last14Days'] as const

/** Which logs fell silent, and which took no event lately. */
export function SilentSection() {
  const { parameters, path } = address.value
  const interval =
    INTERVALS.find((one) => one === parameters.get('interval')) ?? ('last24Hours' as const)
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
          onChange={(event) => go(withParameters(path, { interval: event.currentTarget.value }))}
        >
          {INTERVALS.map((one) => (
            <option key={one} value={one}>
              {T.intervals[one]}
            </option>
          ))}
        </select>
      }
    >
      <FellSilent />
      <section class="part">
        <h2>{T.byFolder}</h2>
        <AskedPart asked={asked}>
          {(folders) => (
            <TableBox label={T.byFolder}>
              <thead>
                <tr>
                  <th>{T.folder}</th>
                  <th class="number">{T.logs}</th>
                  <th class="number">{T.collected}</th>
                  <th>{T.silent}</th>
                </tr>
              </thead>
              <tbody>
                {folders.map(({ name, totalLogs, collectedLogs, silent }) => (
                  <tr key={name}>
                    <td class="objects-name">{name}</td>
                    <td class="number">{totalLogs}</td>
                    <td class="number">{collectedLogs}</td>
                    <td class="objects-wide">{silent.join(', ')}</td>
                  </tr>
                ))}
              </tbody>
            </TableBox>
          )}
        </AskedPart>
      </section>
    </Section>
  )
}
