// Series that Prometheus finds when it asks the product: what the sources declare, what every Node
// process has, and the few of others.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openMetrics } from '../../../infra/metrics.ts'

const ROOT = join(import.meta.dirname, '../../..')
const LANES = ['infra', 'ingest', 'query', 'portal', 'roles']
/** Of Prometheus itself, and of HAProxy 2.6 (seen in its exporter). */
const OTHERS = [
  'up',
  'haproxy_backend_active_servers',
  'haproxy_backend_http_responses_total',
  'haproxy_backend_retry_warnings_total',
  'haproxy_backend_redispatch_warnings_total',
]

export async function listProductSeries(): Promise<ReadonlySet<string>> {
  const files = LANES.flatMap((lane) =>
    readdirSync(join(ROOT, lane), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(lane, name)),
  )
  const declared = ['main.ts', ...files].flatMap((name) =>
    declaredIn(readFileSync(join(ROOT, name), 'utf8')),
  )
  const metrics = await openMetrics('any').text()
  const common = [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(
    ([, name = '', kind = '']) => seriesOf(name, kind),
  )
  return new Set([...declared, ...common, ...OTHERS])
}

function declaredIn(source: string): string[] {
  const calls = source.matchAll(/\.(counter|gauge|histogram)\(\s*'(\w+)'/g)
  return [...calls].flatMap(([, kind = '', name = '']) => seriesOf(name, kind))
}

function seriesOf(name: string, kind: string): string[] {
  return kind === 'histogram' || kind === 'summary'
    ? [`${name}_bucket`, `${name}_sum`, `${name}_count`, name]
    : [name]
}
