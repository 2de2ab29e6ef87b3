// The campaign on the Kafka form: npm run build; node --import tsx loadtest/chaos/cluster/main.ts
// --faults 100 [--brokers 3] [--copies 2] and the options of every campaign. Needs Java,
// PostgreSQL, LOGEYE_TEST_KAFKA_LIBS and LOGEYE_TEST_TOXIPROXY.
import { campaignMain, type Form, USAGE } from '../campaign/cli.ts'
import { startClusterTarget } from './start-target.ts'

const OWN_USAGE = `${USAGE}
  --brokers N   1 (default) or 3
  --copies N    processes of each role but the store (default 1)`

const form: Form = {
  names: ['brokers', 'copies'],
  start: ({ brokers, copies }) =>
    startClusterTarget({ brokers: readCount(brokers), copies: readCount(copies) }),
}

function readCount(text: string | boolean | undefined): number {
  const value = Number(text ?? 1)
  if (Number.isInteger(value) && value >= 1 && value <= 4) return value
  throw new Error('--brokers and --copies are numbers from 1 to 4')
}

const argv = process.argv.slice(2)
if (argv.includes('--help')) console.log(OWN_USAGE)
else process.exit(await campaignMain(form, argv))
