import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DEPLOY, readDeployFile, readDeployYaml } from '../../../support/deploy/deploy-files.ts'
import { listProductSeries } from '../../../support/deploy/product-metrics.ts'
import { seriesNamesOf } from '../../../support/deploy/promql-names.ts'
import { asList, asMap } from '../../../support/deploy/yaml-values.ts'

const dashboardSchema = z.object({
  uid: z.string(),
  panels: z.array(
    z.object({
      title: z.string(),
      datasource: z.object({ uid: z.string() }),
      targets: z.array(z.object({ expr: z.string(), datasource: z.object({ uid: z.string() }) })),
    }),
  ),
})

const dashboards = readdirSync(join(DEPLOY, 'grafana/dashboards'))
const rules = asList(readDeployYaml('prometheus/alerts.yml').groups).flatMap((group) =>
  asList(asMap(group).rules).map(asMap),
)

async function unknownIn(expressions: readonly string[]): Promise<string[]> {
  const known = await listProductSeries()
  return expressions.flatMap(seriesNamesOf).filter((name) => !known.has(name))
}

describe('names of metrics', () => {
  it.each(dashboards)('of the dashboard %s are those of the product', async (file) => {
    const { panels } = dashboardSchema.parse(
      JSON.parse(readDeployFile(`grafana/dashboards/${file}`)),
    )
    const expressions = panels.flatMap((panel) => panel.targets.map((target) => target.expr))
    expect(expressions.flatMap(seriesNamesOf).length).toBeGreaterThanOrEqual(panels.length)
    expect(await unknownIn(expressions)).toEqual([])
  })

  it('of the alert rules are those of the product', async () => {
    expect(rules.length).toBeGreaterThan(15)
    expect(await unknownIn(rules.map((rule) => String(rule.expr)))).toEqual([])
  })

  it.each([
    ['sum(rate(logeye_writer_event_total[5m]))', 'logeye_writer_event_total'],
    ['1 - sum by (le) (logeye_writer_lag_bytes) / logeye_wrong', 'logeye_wrong'],
    ['logeye_writer_lag_bytes_bucket{le="1"} > 3', 'logeye_writer_lag_bytes_bucket'],
    ['up and on (job) nodejs_wrong{job=~"a{b}"}', 'nodejs_wrong'],
  ])('finds the wrong one in %s', async (expression, wrong) => {
    expect(await unknownIn([expression])).toEqual([wrong])
  })

  it('are read out of an expression without its functions, labels, durations and texts', () => {
    expect(
      seriesNamesOf(
        'histogram_quantile(0.99, sum by (le, job) (rate(a_bucket{x="b c"}[$__rate_interval]))) > 1e6 and c offset 5m',
      ),
    ).toEqual(['a_bucket', 'c'])
  })
})

describe('dashboards', () => {
  it('ask the data source that is provisioned', () => {
    const uid = asMap(
      asList(readDeployYaml('grafana/provisioning/datasources/prometheus.yml').datasources)[0],
    ).uid
    for (const file of dashboards) {
      const { panels } = dashboardSchema.parse(
        JSON.parse(readDeployFile(`grafana/dashboards/${file}`)),
      )
      const asked = panels.flatMap((it) => [
        it.datasource,
        ...it.targets.map((to) => to.datasource),
      ])
      expect(new Set(asked.map((it) => it.uid))).toEqual(new Set([uid]))
    }
  })
})

describe('alert rules', () => {
  it('have a name of their own, a severity and a sentence', () => {
    expect(new Set(rules.map((rule) => rule.alert)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(['page', 'ticket']).toContain(asMap(rule.labels).severity)
      expect(String(asMap(rule.annotations).summary).length).toBeGreaterThan(20)
    }
  })

  it('are shown to fire and to rest, each of them', () => {
    const tests = asList(readDeployYaml('prometheus/alerts.test.yml').tests).map(asMap)
    const cases = tests.flatMap((test) => asList(test.alert_rule_test).map(asMap))
    const named = (fires: boolean) =>
      cases
        .filter((it) => asList(it.exp_alerts).length > 0 === fires)
        .map((it) => it.alertname)
        .sort()
    const names = rules.map((rule) => rule.alert).sort()
    expect(named(true)).toEqual(names)
    expect(named(false)).toEqual(names)
  })
})
