// A role process that does nothing but obey: for the supervisor's tests. Its modes: idle, busy (an
// event loop that never turns again from a SIGHUP on), stalling (the same, watched), deaf (does not
// stop when told to), refusing, and those that never come up: throwing, crashing, waiting (for an
// engine), fickle (another reason each time), mute (ends without a message).
import { writeSync } from 'node:fs'
import { systemClock } from '../../../infra/clock.ts'
import { openSupervisorLink } from '../../../infra/supervisor/link.ts'
import { SUPERVISION_NAME, supervisionSchema } from '../../../infra/supervisor/messages.ts'
import { runRoleProcess } from '../../../infra/supervisor/role-process.ts'
import { Failure } from '../../../schemas/failures.ts'

const STALL_LIMIT_MS = 3000
const [name = '', mode = 'idle'] = process.argv.slice(2)
const supervision = supervisionSchema.parse(JSON.parse(process.env[SUPERVISION_NAME] ?? '{}'))
const FAILURES: Readonly<Record<string, () => Error>> = {
  refusing: () => new Failure('start.refused', { reason: 'it does not want to' }),
  throwing: () => new TypeError(`table 'x' is not there (pid ${process.pid})\nsecond line`),
  waiting: () => new Failure('event_log.unavailable'),
  fickle: () => new TypeError(String.fromCharCode(97 + (process.pid % 26))),
}
const failure = FAILURES[mode]
if (failure !== undefined)
  await runRoleProcess({ name, level: 'info', supervision }, () => Promise.reject(failure()))
if (mode === 'crashing') process.kill(process.pid, 'SIGSEGV')
if (mode === 'mute') process.exit(3)
const link = openSupervisorLink(supervision, systemClock, STALL_LIMIT_MS)
if (mode === 'stalling') link.sayOpen()
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
if (mode === 'busy' || mode === 'stalling')
  process.on('SIGHUP', () => {
    writeSync(2, 'busy from now on\n')
    for (;;) Math.sqrt(2)
  })
setInterval(() => undefined, 1000)
