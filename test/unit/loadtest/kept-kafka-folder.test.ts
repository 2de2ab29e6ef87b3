import { expect, it } from 'vitest'
import { keptKafkaFolder } from '../../../loadtest/cluster/kept-kafka-folder.ts'

it.each([
  [{}, '/home/a/.cache/logeye/kafka'],
  [{ XDG_CACHE_HOME: '/var/cache/a' }, '/var/cache/a/logeye/kafka'],
  [{ XDG_CACHE_HOME: 'here' }, '/home/a/.cache/logeye/kafka'],
  [{ TMPDIR: '/tmp/of-this-run' }, '/home/a/.cache/logeye/kafka'],
])('the jars of Kafka are kept for the next run, with %j in %s', (environment, folder) => {
  expect(keptKafkaFolder(environment, '/home/a')).toBe(folder)
})
