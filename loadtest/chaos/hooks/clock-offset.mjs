// A test start only, over what `npm start` has built: loaded in front of the program (`node
// --import`), it adds the number of milliseconds in a file to the time of infra/clock.ts. The
// program itself has no such switch, and the machine's clock stays as it is.
import { readFileSync } from 'node:fs'
import { systemClock } from '../../../dist/infra/clock.js'

const file = process.env.LOGEYE_TEST_CLOCK_FILE
if (file === undefined) throw new Error('LOGEYE_TEST_CLOCK_FILE names no file')
const readTime = systemClock.nowMs
systemClock.nowMs = () => readTime() + offsetMs(file)

/** Read each time, so that a jump is one for all processes. */
function offsetMs(path) {
  const offset = Number(readFileSync(path, 'utf8'))
  return Number.isFinite(offset) ? offset : 0
}
