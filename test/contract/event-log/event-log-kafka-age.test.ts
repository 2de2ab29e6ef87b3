// Brokers that are too old, or too new: what a start says of them.
import { afterEach, describe, expect, it } from 'vitest'
import { openEventLog } from '../../../infra/event-log/open.ts'
import { makeLogger } from '../../../infra/logger.ts'
import { startKafkaDouble } from '../../support/event-log/kafka-double.ts'
import { RETRIED } from '../../support/event-log/use-kafka.ts'
import { testClock } from '../../support/run/test-clock.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const logged: string[] = []
const write = (line: string) => void logged.push(line)
const open = (port: number) =>
  openEventLog({
    ...{ url: `kafka://127.0.0.1:${port}/t`, dataDir: '', maxBlockBytes: 1 << 20 },
    clock: testClock,
    logger: makeLogger({ level: 'debug', process: 'test', clock: testClock, write }),
  })

describe('a broker', () => {
  const [produce, metadata, versions, createTopics] = [0, 3, 18, 19]
  const others = { [metadata]: [1, 1], [versions]: [0, 1], [createTopics]: [2, 4] } as const
  it.each([
    ['of before 2.1', { [produce]: [0, 6], ...others }],
    ['of some later day', { [produce]: [8, 14], ...others }],
    ['of before metadata', { [produce]: [0, 1], [versions]: [0, 0] }],
  ] as const)('%s is refused at once, in one line', async (_, known) => {
    const double = await startKafkaDouble(known)
    closers.push(() => double.close())
    await expect(open(double.port)).rejects.toMatchObject({
      code: 'start.refused',
      message: 'the brokers of LOGEYE_EVENT_LOG_URL are too old or too new',
    })
    expect(logged.join()).not.toContain(RETRIED)
  })
})
