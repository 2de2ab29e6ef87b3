// What a start says to a user who lacks a right, on a real broker that keeps rights.
import {
  AclOperationTypes,
  AclPermissionTypes,
  AclResourceTypes,
  ResourcePatternTypes,
} from 'kafkajs'
import { expect, it } from 'vitest'
import { KAFKA_PASSWORD, KAFKA_USER, kafkaMissing } from '../../support/event-log/kafka-broker.ts'
import { RETRIED, until, useKafka } from '../../support/event-log/use-kafka.ts'
import { describeUnless } from '../../support/run/skip.ts'

const READ = { maxBytes: 1 << 20, waitMs: 0 }
/** As docs/reference/configuration.md says them. */
const OF_TOPIC = ['READ', 'WRITE', 'DESCRIBE', 'DELETE', 'DESCRIBE_CONFIGS'] as const
type Operation = (typeof OF_TOPIC)[number] | 'CREATE'
type Rights = { readonly topic: readonly Operation[]; readonly hasGroup: boolean }

const without = (...names: Operation[]) => OF_TOPIC.filter((it) => !names.includes(it))

describeUnless(kafkaMissing(), 'a user of the brokers', () => {
  const kafka = useKafka({
    settings: {
      'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
      // Who comes without a name: the brokers themselves, and the tests.
      'super.users': 'User:ANONYMOUS',
    },
  })
  let made = 0

  /** An address of a topic of its own, on which the user has these rights. */
  async function prepare(rights: Rights, isThere = true): Promise<string> {
    made += 1
    const topic = `rights-${made}`
    const entry = (resourceType: AclResourceTypes, resourceName: string, name: Operation) => ({
      ...{ resourceType, resourceName, resourcePatternType: ResourcePatternTypes.LITERAL },
      ...{ principal: `User:${KAFKA_USER}`, host: '*', operation: AclOperationTypes[name] },
      permissionType: AclPermissionTypes.ALLOW,
    })
    const acl = rights.topic.map((it) => entry(AclResourceTypes.TOPIC, topic, it))
    if (rights.hasGroup) acl.push(entry(AclResourceTypes.GROUP, `${topic}-writer`, 'READ'))
    await kafka.withAdmin(async (admin) => {
      if (acl.length > 0) await admin.createAcls({ acl })
      const configEntries = [{ name: 'max.message.bytes', value: String(17 << 20) }]
      const one = { topic, numPartitions: 1, replicationFactor: 1, configEntries }
      if (isThere) await admin.createTopics({ topics: [one] })
    })
    const user = `${KAFKA_USER}:${encodeURIComponent(KAFKA_PASSWORD)}`
    return `kafka://${user}@127.0.0.1:${kafka.broker.saslPort}/${topic}`
  }

  it('with those that the reference names appends, reads, saves and gives back, and makes the topic with CREATE', async () => {
    for (const [rights, isThere] of [
      [OF_TOPIC, true],
      [[...OF_TOPIC, 'CREATE'], false],
    ] as const) {
      const log = await kafka.open(await prepare({ topic: rights, hasGroup: true }, isThere))
      await log.append(0, Buffer.from('a'))
      await log.append(0, Buffer.from('b'))
      expect(await log.read(0, 0, READ)).toHaveLength(2)
      const ended = new AbortController()
      await log.own(async (partition) => {
        await log.savePosition(partition, { next: 1, metadata: '' })
        ended.abort()
      }, ended.signal)
      await until(async () => (await log.read(0, 0, READ))[0]?.offset === 1)
    }
  })

  it('without DESCRIBE_CONFIGS is told that what the topic promises is not known', async () => {
    await kafka.open(await prepare({ topic: without('DESCRIBE_CONFIGS'), hasGroup: true }))
    expect(kafka.logged()).toContain('settings of the topic cannot be read')
  })

  it.each<[string, Rights, boolean, string]>([
    ['any', { topic: [], hasGroup: true }, true, 'the user may not use the topic'],
    ['WRITE', { topic: without('WRITE'), hasGroup: true }, true, 'lacks the right WRITE'],
    ['READ', { topic: without('READ'), hasGroup: true }, true, 'lacks the right READ'],
    ['DELETE', { topic: without('DELETE'), hasGroup: true }, true, 'lacks the right DELETE'],
    [
      'READ of the group',
      { topic: OF_TOPIC, hasGroup: false },
      true,
      'lacks the right READ on the group',
    ],
    [
      'CREATE for a topic that is missing',
      { topic: OF_TOPIC, hasGroup: true },
      false,
      'the topic is not there and the user may not make it',
    ],
  ])('without the right %s is refused at once, in one line', async (_, rights, isThere, reason) => {
    const url = await prepare(rights, isThere)
    const error = await kafka.open(url).catch((it: unknown) => it)
    expect(error).toMatchObject({ code: 'start.refused', message: expect.stringContaining(reason) })
    expect(String(error)).not.toMatch(/\n|p@ss/)
    expect(kafka.logged()).not.toContain(RETRIED)
  })
})
