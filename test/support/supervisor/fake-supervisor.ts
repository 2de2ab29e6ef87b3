// A supervisor of fake roles in a process of its own, so that it can be killed. Arguments: modes of
// its children. Prints their reports, and 'stopped'.
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../infra/clock.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { SUPERVISION_NAME } from '../../../infra/supervisor/messages.ts'
import { PROCESSES, SUPERVISED } from '../../../infra/supervisor/processes.ts'
import { startSupervisor } from '../../../infra/supervisor/supervisor.ts'

const role = fileURLToPath(new URL('./fake-role.ts', import.meta.url))
/** Those that do not obey are killed soon. */
const DISOBEDIENT = ['deaf', 'busy']
const DISOBEDIENT_LIMIT_MS = 300
const READY_LIMIT_MS = 60_000
const supervision = JSON.stringify({ supervisorPid: process.pid })
const supervisor = startSupervisor({
  groups: process.argv.slice(2).map((mode, at) => [
    {
      name: `${mode}-${at}`,
      command: process.execPath,
      args: ['--import', 'tsx', role, `${mode}-${at}`, mode],
      environment: { ...process.env, [SUPERVISION_NAME]: supervision },
      niceness: at,
      stopLimitMs: DISOBEDIENT.includes(mode)
        ? DISOBEDIENT_LIMIT_MS
        : PROCESSES[SUPERVISED[at] ?? 'store'].stopLimitMs,
    },
  ]),
  clock: systemClock,
  logger: makeLogger({ level: 'info', process: 'supervisor', clock: systemClock }),
})
void supervisor.refused.then((reason) => {
  process.stdout.write(`${JSON.stringify({ refused: reason })}\n`)
})
process.on('SIGTERM', () => {
  void supervisor.stop().then(() => {
    process.stdout.write(`${JSON.stringify({ stopped: true })}\n`)
    process.exit(0)
  })
})
// Before the first line is printed: its reader may send the signal at once.
process.on('SIGUSR2', () => {
  void supervisor
    .reports(true)
    .then((reports) => process.stdout.write(`${JSON.stringify({ reports })}\n`))
})
await supervisor.untilReady(READY_LIMIT_MS)
process.stdout.write(`${JSON.stringify({ reports: await supervisor.reports(true) })}\n`)
