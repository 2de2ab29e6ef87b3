// A role process that does nothing but obey: for the supervisor's tests. Its modes: idle, busy (an event loop that never turns again from a SIGHUP on), deaf (does not stop when told to), refusing.
import { systemClock } from '../../infra/clock.ts'
import { openSupervisorLink } from '../../infra/supervisor/link.ts'
import {
  EXIT_REFUSED,
  SUPERVISION_NAME,
  supervisionSchema,
} from '../../infra/supervisor/messages.ts'

const [name = '', mode = 'idle'] = process.argv.slice(2)
if (mode === 'refusing') process.exit(EXIT_REFUSED)
const supervision = supervisionSchema.parse(JSON.parse(process.env[SUPERVISION_NAME] ?? '{}'))
const link = openSupervisorLink(supervision, systemClock)
const beginMs = systemClock.nowMs()
link.onReport(() =>
  Promise.resolve({
    process: name,
    ready: { part: systemClock.nowMs() - beginMs > 100 },
    metrics: `pid ${process.pid}\n`,
  }),
)
link.onStop(() => {
  if (mode !== 'deaf') process.exit(0)
})
process.on('SIGTERM', () => undefined)
if (mode === 'busy')
  process.on('SIGHUP', () => {
    for (;;) Math.sqrt(2)
  })
setInterval(() => undefined, 1000)
