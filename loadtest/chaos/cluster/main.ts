// The campaign on the Kafka form: node --import tsx loadtest/chaos/cluster/main.ts --faults 100 [--brokers 3] [--copies 2] and the
// options of every campaign. Needs Java, PostgreSQL, LOGEYE_TEST_KAFKA_LIBS and LOGEYE_TEST_TOXIPROXY.
import { campaignMain, USAGE } from '../campaign/cli.ts'
import { startClusterTarget } from './start-target.ts'

const argv = process.argv.slice(2)
if (argv.includes('--help')) {
  console.log(`${USAGE}
  --brokers N   1 (default) or 3
  --copies N    processes of each role but the store (default 1)`)
  process.exit(0)
}
const brokers = take('--brokers')
const copies = take('--copies')
process.exit(await campaignMain(() => startClusterTarget({ brokers, copies }), argv))

function take(name: string): number {
  const at = argv.indexOf(name)
  if (at < 0) return 1
  const [, text] = argv.splice(at, 2)
  const value = Number(text)
  if (!(Number.isInteger(value) && value >= 1 && value <= 4))
    throw new Error(`${name} is a number from 1 to 4`)
  return value
}
