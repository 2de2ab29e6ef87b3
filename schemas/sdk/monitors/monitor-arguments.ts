// What a monitor asks, when, and when an alert opens: arguments of commands that make and try one.
import {
  businessHoursValue,
  ruleValue,
  scheduleValue,
  windowValue,
} from '../../monitors/monitor-values.ts'
import { argument } from '../argument.ts'
import { textValue, timeZoneValue, wholeNumberValue } from '../values.ts'

export const MONITOR_ARGUMENTS = {
  query: argument(textValue.optional(), {
    description: 'the search; required for a new monitor',
    hint: 'error in log.access',
  }),
  sources: argument(textValue.optional(), {
    description: 'logs that it reads, as the scope of a search; empty for all',
    hint: 'folder.Web, apptag.Shop',
  }),
  schedule: argument(scheduleValue.optional(), {
    description: 'when it is due; default every 5m',
    hint: 'never|every 5m|daily 08:00|weekly mon 08:00|monthly 1 08:00|<cron>',
  }),
  timeZone: argument(timeZoneValue.optional(), {
    description: 'of schedule and hours; empty for that of the system',
    hint: 'Europe/Berlin',
  }),
  businessHours: argument(businessHoursValue.optional(), {
    description: 'it is due only then; empty for any time',
    hint: 'mon-fri 08:00-18:00',
  }),
  window: argument(windowValue.optional(), {
    description:
      'new: what has arrived since the last run, late events too; or the time before it is due; default new',
    hint: 'new|15m|1h|1d',
  }),
  delaySeconds: argument(wholeNumberValue(0, 86_400).optional(), {
    description: 'it runs so much later, so that late events are in; default 0',
    hint: '60',
  }),
  rule: argument(ruleValue.optional(), {
    description:
      'when it fails. exists: a row is there; count: by the number of rows; column: by a number in a column; change: by the number of rows against a week before; silence: a log has no event; unusual: the last full hour of a log is not as that hour of the week is; new shape, new value: a kind of message, or a value of a column, that was not there before and comes often enough to be news; every new: however seldom it comes. Default exists',
    hint: 'exists|count > 5|column <name> >= 100|change > 50%|silence|unusual|[every ]new shape|[every ]new value <name>',
  }),
  groupBy: argument(textValue.optional(), {
    description: 'one alert for each value of this column; empty for one of all rows',
    hint: 'host',
  }),
  openAfter: argument(wholeNumberValue(1, 100).optional(), {
    description: 'runs one after the other that must fail before an alert opens; default 1',
    hint: '1',
  }),
  closeAfter: argument(wholeNumberValue(1, 100).optional(), {
    description: 'runs one after the other that must pass before it closes; default 1',
    hint: '1',
  }),
}
