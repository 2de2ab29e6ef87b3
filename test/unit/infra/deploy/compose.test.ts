import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig, SETTINGS } from '../../../../infra/config.ts'
import { parsePostgresAddress } from '../../../../infra/database/postgres/address.ts'
import { parseKafkaAddress } from '../../../../infra/event-log/kafka/address.ts'
import {
  DEPLOY,
  readDeployFile,
  readDeployYaml,
  readYaml,
} from '../../../support/deploy/deploy-files.ts'
import { asList, asMap, type YamlMap } from '../../../support/deploy/yaml-values.ts'

const file = readDeployYaml('docker-compose.yml')
const services = Object.entries(asMap(file.services)).map(([name, it]) => ({
  name,
  service: asMap(it),
}))
const ours = services.filter(({ service }) => String(service.image).startsWith('logeye:'))
/** Who operates a cluster is seldom the vendor: its service stands under a profile. */
const VENDOR = ['portal']
const MOST_STOP_SECONDS = 5

/** As compose does it, with `x` for what has no default. */
function environmentOf(service: YamlMap): Record<string, string> {
  const entries = Object.entries(asMap(service.environment))
  return Object.fromEntries(entries.map(([name, value]) => [name, interpolate(String(value))]))
}

function interpolate(text: string): string {
  return text.replace(
    /\$\{\w+(?::-([^}]*)|:\?[^}]*)?\}/g,
    (text, fallback?: string) => fallback ?? (text.includes('TOKEN') ? 'x'.repeat(48) : 'x'),
  )
}

function seconds(text: unknown): number {
  return Number(/^(\d+)s$/.exec(String(text))?.[1])
}

describe('the services of Logeye', () => {
  it('are two of each role, and one scheduler', () => {
    const roles = ours
      .filter(({ service }) => service.profiles === undefined)
      .map(({ service }) => asMap(service.environment).LOGEYE_ROLES)
    expect(roles.sort()).toEqual([
      'listener',
      'listener',
      'query',
      'query',
      'scheduler',
      'writer',
      'writer',
    ])
  })

  it.each(ours)('$name has settings that the product takes', ({ service }) => {
    const environment = environmentOf(service)
    for (const name of Object.keys(environment))
      expect(SETTINGS.map((it) => it.variable)).toContain(name)
    const { config } = loadConfig({ environment })
    const isVendors = config.roles.includes('portal')
    expect(service.profiles).toEqual(isVendors ? VENDOR : undefined)
    if (isVendors) return expect(config.portal.databaseUrl?.reveal()).toContain('schema=portal')
    expect(parseKafkaAddress(config.eventLogUrl?.reveal() ?? '')).toMatchObject({
      brokers: ['kafka-1:9092', 'kafka-2:9092', 'kafka-3:9092'],
      partitions: 12,
      replication: 3,
    })
    expect(config.storeUrl?.reveal()).toBe('http://logeye:x@clickhouse-1:8123')
    // What the tables are made with (test/cases/store/tables.sql) stands in the servers'
    // configuration.
    const servers = readDeployFile('clickhouse/cluster.xml')
    expect(servers).toContain(`<${config.storeCluster}>`)
    for (const macro of ['<shard>', '<replica ', '<internal_replication>true<', '<zookeeper>'])
      expect(servers).toContain(macro)
    // The network of the engines has no way out, and the server of this file no certificate.
    const database = { host: 'postgres', database: 'logeye', user: 'logeye', sslMode: 'disable' }
    expect(parsePostgresAddress(config.databaseUrl?.reveal() ?? '')).toMatchObject(database)
  })

  it.each(ours)(
    '$name is shut in: read-only root, no rights, an own place for what it writes',
    ({ service }) => {
      expect(service).toMatchObject({
        read_only: true,
        init: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        stop_signal: 'SIGTERM',
        tmpfs: [expect.stringMatching(/^\/tmp:/), expect.stringMatching(/^\/data:/)],
      })
      // What lasts is in the engines.
      expect(service).not.toHaveProperty('volumes')
      expect(seconds(service.stop_grace_period)).toBeGreaterThan(MOST_STOP_SECONDS)
    },
  )

  it('refuse a setting that is not there', () => {
    expect(() => loadConfig({ environment: { LOGEYE_ROLLES: 'query' } })).toThrow('LOGEYE_ROLLES: ')
  })
})

describe('the compose file', () => {
  it('names what it declares', () => {
    const has = (section: YamlMap[string] | undefined, name: string) =>
      Object.hasOwn(asMap(section), name)
    for (const { service } of services) {
      const networks = service.networks ?? []
      const used = Array.isArray(networks) ? networks.map(String) : Object.keys(asMap(networks))
      const mounted = asList(service.volumes).map((it) => String(it).split(':')[0] ?? '')
      const missing = [
        ...Object.keys(asMap(service.depends_on ?? {})).filter((it) => !has(file.services, it)),
        ...asList(service.secrets).filter((it) => !has(file.secrets, String(it))),
        ...used.filter((it) => !has(file.networks, it)),
        ...mounted.filter((it) => !it.startsWith('.') && !has(file.volumes, it)),
      ]
      expect(missing).toEqual([])
      for (const own of mounted.filter((it) => it.startsWith('.')))
        expect(existsSync(join(DEPLOY, own))).toBe(true)
    }
  })

  it('waits only for services that have a check, where it waits for health', () => {
    const checked = new Set(
      services
        .filter(
          ({ service }) =>
            service.healthcheck !== undefined || String(service.image).startsWith('logeye:'),
        )
        .map(({ name }) => name),
    )
    for (const { service } of services)
      for (const [name, wait] of Object.entries(asMap(service.depends_on ?? {})))
        if (asMap(wait).condition === 'service_healthy') expect(checked).toContain(name)
  })

  it('has checks that need no shell of their own', () => {
    for (const { service } of services) {
      if (service.healthcheck === undefined) continue
      expect(asList(asMap(service.healthcheck).test)[0]).toBe('CMD')
    }
  })

  it('bounds the memory of every service', () => {
    for (const { service, name } of services)
      expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)])
    const limits = new Map(services.map(({ name, service }) => [name, String(service.mem_limit)]))
    // As the chart has it (values.yaml).
    expect([limits.get('writer-1'), limits.get('listener-1'), limits.get('query-2')]).toEqual([
      '2g',
      '1g',
      '1g',
    ])
  })

  it('has as many services as the guide says', () => {
    const guide = readFileSync(join(DEPLOY, '../../docs/guides/deploy.md'), 'utf8')
    const said = [...guide.matchAll(/(\d+) services/g)].map(([, count]) => Number(count))
    expect(said).toEqual([services.length])
  })

  it('pins every image to a version', () => {
    for (const { service } of services) {
      const tag = interpolate(String(service.image)).split(':')[1]
      expect(tag).toMatch(/^v?\d+\.\d+/)
    }
  })

  it('holds no secret: each comes from .env, whose example has none, or from a file of secrets/', () => {
    const text = readDeployFile('docker-compose.yml')
    const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name))
    const example = readDeployFile('env.example')
    const offered = [...example.matchAll(/^(\w+)=(.*)$/gm)]
    expect(new Set(offered.map(([, name]) => name))).toEqual(asked)
    for (const [, name = '', value] of offered)
      if (/PASSWORD|SECRET|TOKEN|_ID$/.test(name)) expect(value).toBe('')
    for (const [, secret] of Object.entries(asMap(file.secrets)))
      expect(String(asMap(secret).file)).toMatch(/^\.\/secrets\//)
    expect(readDeployFile('.gitignore')).toBe('/.env\n/secrets/\n')
    for (const [, value] of text.matchAll(/(?:PASSWORD|SECRET|TOKEN)\w*: (.*?)(?:,|\}| *$)/gm))
      expect(value).toMatch(/^"?\$\{|^\/run\/secrets\//)
  })

  it('trusts the address of the edge and no other', () => {
    const edge = services.find(({ name }) => name === 'edge')?.service
    const { ipv4_address: address } = asMap(asMap(edge?.networks).front)
    for (const { service } of ours)
      expect(asMap(service.environment).LOGEYE_HTTP_TRUSTED_PROXIES).toBe(address)
  })

  it('keeps three copies of the event log, two of them before an answer, of blocks as large as ours', () => {
    const brokers = services.filter(({ name }) => name.startsWith('kafka-'))
    const defaults = loadConfig({ environment: {} }).config
    expect(brokers).toHaveLength(3)
    for (const { service, name } of brokers) {
      const environment = asMap(service.environment)
      expect(environment).toMatchObject({
        KAFKA_MIN_INSYNC_REPLICAS: 2,
        KAFKA_DEFAULT_REPLICATION_FACTOR: 3,
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: 3,
        KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE: 'false',
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${name}:9092`,
      })
      expect(Number(environment.KAFKA_MESSAGE_MAX_BYTES)).toBeGreaterThan(
        defaults.eventLog.maxBlockBytes,
      )
    }
    expect(
      new Set(brokers.map(({ service }) => asMap(service.environment).KAFKA_NODE_ID)).size,
    ).toBe(3)
  })

  it('is asked for its metrics process by process', () => {
    const prometheus = readDeployYaml('prometheus/prometheus.yml')
    const jobs = asList(prometheus.scrape_configs).map(asMap)
    const targets = jobs.flatMap((job) =>
      asList(asMap(asList(job.static_configs)[0]).targets).map(String),
    )
    const expected = ours
      .filter(({ service }) => service.profiles === undefined)
      .map(
        ({ name, service }) =>
          `${name}:${asMap(service.environment).LOGEYE_HTTP_PLAIN_PORT ?? 30303}`,
      )
    expect(targets.sort()).toEqual([...expected, 'edge:8405'].sort())
    for (const job of jobs.filter((it) => it.job_name !== 'edge'))
      expect(asMap(job.authorization)).toEqual({
        type: 'Bearer',
        credentials_file: '/run/secrets/metrics_token',
      })
    for (const { service } of ours)
      expect(String(asMap(service.environment).LOGEYE_HTTP_METRICS_TOKEN)).toMatch(
        /^\$\{METRICS_TOKEN:\?/,
      )
    // One word in two places: what the processes are told, and what Prometheus shows.
    expect(readDeployFile('make-secrets.sh')).toContain(
      "sed -n 's/^METRICS_TOKEN=//p' .env >secrets/metrics_token",
    )
  })
})

describe('the reader of these files', () => {
  it('merges maps as compose does', () => {
    const text = 'a: &a { x: 1, y: 2 }\nb: { <<: *a, y: 3 }\n'
    expect(readYaml(text)).toEqual({ a: { x: 1, y: 2 }, b: { x: 1, y: 3 } })
  })

  it.each(['a: 1\na: 2', 'a: [1, 2', 'a: *gone', 'a: !unknown 1', 'a: 1\n   b: 2'])(
    'refuses %j',
    (text) => {
      expect(() => readYaml(text)).toThrow()
    },
  )
})
