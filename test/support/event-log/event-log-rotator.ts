// A process of its own that makes a partition of the embedded log go on in another file, and is
// killed after the step that it is given; without one it does so again and again until it is
// killed.
import { writeSync } from 'node:fs'
import {
  draftSuccessor,
  numberOf,
  openCurrent,
  publishSuccessor,
  removeOlder,
  sealEnvironment,
} from '../../../infra/event-log/embedded/generations.ts'
import { testClock } from '../run/test-clock.ts'

export const ROTATION_STEPS = ['seal', 'draft', 'publish', 'remove'] as const
export type RotationStep = (typeof ROTATION_STEPS)[number]

const [directory = '', last = 'never'] = process.argv.slice(2)
const place = { directory, partition: 0, maxBytes: 256 << 20, clock: testClock }

if (process.argv[1]?.endsWith('event-log-rotator.mjs') === true) {
  do await rotate()
  while (last === 'never')
}

async function rotate(): Promise<void> {
  const environment = await openCurrent(place)
  const number = numberOf(place, environment)
  if (!(await sealEnvironment(environment, Number.POSITIVE_INFINITY))) return
  dieBehind('seal')
  if (last === 'draft') await draftSuccessor(place, environment, number + 1)
  dieBehind('draft')
  await publishSuccessor(place, environment, number)
  dieBehind('publish')
  await removeOlder(place)
  dieBehind('remove')
  await environment.retire()
  writeSync(1, `${number + 1}\n`)
}

function dieBehind(step: RotationStep): void {
  if (step === last) process.kill(process.pid, 'SIGKILL')
}
