import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig, SETTINGS } from '../../../../infra/config.ts'
import { PROCESSES } from '../../../../infra/supervisor/processes.ts'
import { DEPLOY, readDeployFile, readDeployYaml } from '../../../support/deploy/deploy-files.ts'
import { asList, asMap } from '../../../support/deploy/yaml-values.ts'

const variables = new Set(SETTINGS.map((it) => it.variable))
const values = readDeployYaml('helm/logeye/values.yaml')
const roles = Object.entries(asMap(values.roles)).map(([name, it]) => ({ name, role: asMap(it) }))
const templates = readdirSync(join(DEPLOY, 'helm/logeye/templates'))
const version: unknown = JSON.parse(
  readFileSync(join(DEPLOY, '../../package.json'), 'utf8'),
).version

describe('the chart', () => {
  it('is of the version of the product', () => {
    const chart = readDeployYaml('helm/logeye/Chart.yaml')
    expect([chart.version, chart.appVersion]).toEqual([version, version])
  })

  it('names in its templates settings that exist', () => {
    const named = templates.flatMap((file) =>
      [...readDeployFile(`helm/logeye/templates/${file}`).matchAll(/\bLOGEYE_\w+/g)].map(
        ([name]) => ({ file, name }),
      ),
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter(({ name }) => !variables.has(name))).toEqual([])
  })

  it('has values whose settings exist', () => {
    const named = [values, ...roles.map(({ role }) => role)].flatMap((it) =>
      Object.keys(asMap(it.settings)),
    )
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect(variables).toContain(name)
  })

  it.each(roles)('runs as $name what the product can run, on a port of its own', ({ role }) => {
    const environment = {
      LOGEYE_ROLES: String(role.runs),
      LOGEYE_HTTP_PLAIN_PORT: String(role.port),
    }
    expect(loadConfig({ environment }).config.http.plainPort).toBe(role.port)
  })

  it('has every role but the store, which is a server of its own there', () => {
    const runs = roles.map(({ role }) => role.runs)
    expect(roles.filter(({ role }) => role.enabled !== true).map(({ name }) => name)).toEqual([
      'collector',
      'portal',
    ])
    expect([...runs, 'store'].sort()).toEqual([...PROCESSES.all.roles].sort())
  })

  it('asks a listener for its own parts, the others for all of theirs', () => {
    for (const { name, role } of roles)
      expect(asList(role.readyParts)).toEqual(name === 'listener' ? ['listener', 'eventLog'] : [])
  })

  it('gives Prometheus the token that the pods are told', () => {
    const secret =
      '{ name: {{ $.Values.serviceMonitor.tokenSecret }}, key: LOGEYE_HTTP_METRICS_TOKEN }'
    expect(readDeployFile('helm/logeye/templates/roles.yaml')).toContain(`secretKeyRef: ${secret}`)
    expect(readDeployFile('helm/logeye/templates/monitor.yaml')).toContain(
      `credentials: ${secret.replace('$.', '.')}`,
    )
  })

  it('gives a pod time to drain and to stop', () => {
    const stopSeconds = 5
    expect(Number(values.terminationGracePeriodSeconds)).toBeGreaterThan(
      Number(values.drainSeconds) + stopSeconds,
    )
  })

  it('shuts pods in, and lets no variable of other services in: a name that begins LOGEYE_ would refuse the start', () => {
    const text = readDeployFile('helm/logeye/templates/roles.yaml')
    for (const line of [
      'enableServiceLinks: false',
      'automountServiceAccountToken: false',
      'runAsNonRoot: true',
      'readOnlyRootFilesystem: true',
      'allowPrivilegeEscalation: false',
      'capabilities: { drop: [ALL] }',
      'seccompProfile: { type: RuntimeDefault }',
    ])
      expect(text).toContain(line)
  })
})

describe('the unit of systemd', () => {
  const unit = readDeployFile('systemd/logeye.service')

  it('names settings that exist', () => {
    const names = [...unit.matchAll(/\bLOGEYE_\w+/g)].map(([name]) => name)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) expect(variables).toContain(name)
  })

  it('lets a stop end before it kills', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(5)
    expect(unit).toMatch(/^KillMode=mixed$/m)
  })
})
