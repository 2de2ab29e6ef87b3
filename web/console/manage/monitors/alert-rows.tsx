import type { SdkAnswer } from '../../../../schemas/sdk/commands.ts'
import { Moment } from '../parts/moment.tsx'
import { TableBox } from '../parts/table-box.tsx'
import { ALERT_TEXTS } from './texts.ts'

const T = ALERT_TEXTS
const MESSAGE = 'message'
/** As the server prints it, in the date format of the system: the page has one form for all. */
const TIMESTAMP = 'timestamp'

type AlertRowsProps = Pick<SdkAnswer<'alerts'>, 'columns' | 'rows' | 'times'>

/** Of events: when, what, and then the rest. */
export function AlertRows({ columns, rows, times }: AlertRowsProps) {
  const isOfEvents = times.length > 0
  const places = [...columns.keys()].filter((at) => !isOfEvents || columns[at] !== TIMESTAMP)
  const message = isOfEvents ? columns.indexOf(MESSAGE) : -1
  const shown = message === -1 ? places : [message, ...places.filter((at) => at !== message)]
  return (
    <TableBox label={T.sample}>
      <thead>
        <tr>
          {isOfEvents && <th>{T.time}</th>}
          {shown.map((at) => (
            <th key={columns[at]}>{columns[at]}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {isOfEvents && (
              <td>
                <Moment iso={times[index] ?? ''} />
              </td>
            )}
            {shown.map((at) => (
              <td
                key={columns[at]}
                class={columns[at] === MESSAGE ? 'objects-wide alert-message' : ''}
                title={row[at]}
              >
                {row[at]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </TableBox>
  )
}
