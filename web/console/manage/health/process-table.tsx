import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { printCount } from '../../../shared/format.ts'
import { Age } from '../parts/moment.tsx'
import { Pill } from '../parts/pill.tsx'
import { printBytes, printLength } from '../parts/print.ts'
import { TableBox } from '../parts/table-box.tsx'
import { HEALTH_TEXTS as T } from './texts.ts'

export function ProcessTable({ state }: { readonly state: SdkAnswer<'systemState'> }) {
  return (
    <>
      <p class="soft">{T.ofNode(state.node)}</p>
      <TableBox label={T.processes}>
        <thead>
          <tr>
            <th>{T.process}</th>
            <th>{T.roles}</th>
            <th>{T.state}</th>
            <th class="number">{T.memory}</th>
            <th class="number">{T.cpu}</th>
            <th class="number">{T.openFiles}</th>
            <th class="number" title={T.loopHelp}>
              {T.loop}
            </th>
            <th>{T.started}</th>
          </tr>
        </thead>
        <tbody>
          {state.processes.map((one) => (
            <tr key={one.name}>
              <td class="objects-name">{one.name}</td>
              <td>{one.roles.join(', ')}</td>
              <td>
                <Pill tone={one.notReady.length === 0 ? 'good' : 'error'}>
                  {one.notReady.length === 0 ? T.ready : T.notReady(one.notReady.join(', '))}
                </Pill>
              </td>
              <td class="number">{orDash(one.memoryBytes, printBytes)}</td>
              <td class="number">{orDash(one.processors, (many) => many.toFixed(2))}</td>
              <td class="number">{orDash(one.openFiles, printCount)}</td>
              <td class="number">
                {orDash(one.loopSeconds, (seconds) => printLength(seconds * 1000))}
              </td>
              <td>
                <Age iso={one.started} />
              </td>
            </tr>
          ))}
        </tbody>
      </TableBox>
    </>
  )
}

function orDash(value: number | null, print: (value: number) => string): string {
  return value === null ? '–' : print(value)
}
