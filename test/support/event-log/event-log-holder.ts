// A process of its own that stands still inside of a change, with LMDB's lock in its hand.
import { Environment } from '../../../infra/event-log/embedded/environment.ts'

const [, , path = ''] = process.argv
const environment = new Environment(path, 256 << 20)
await environment.write(() => process.kill(process.pid, 'SIGSTOP'))
await environment.retire()
