import { describe, expect, it } from 'vitest'
import { mergeMetricTexts, openMetrics } from '../../../infra/metrics.ts'

describe('metrics', () => {
  it('are printed with the process as a label', async () => {
    const metrics = openMetrics('front')
    metrics.counter('logeye_test_total', 'Things.', ['kind']).inc(2, { kind: 'a' })
    metrics.counter('logeye_test_total', 'Things.', ['kind']).inc(1, { kind: 'a' })
    const gauge = metrics.gauge('logeye_open', 'Open.')
    metrics.onRead(() => gauge.set(7))
    metrics.histogram('logeye_wait_seconds', 'Wait.', [], [0.5]).observe(0.2)
    const text = await metrics.text()
    expect(text).toContain('logeye_test_total{kind="a",process="front"} 3')
    expect(text).toContain('logeye_open{process="front"} 7')
    expect(text).toContain('logeye_wait_seconds_bucket{le="0.5",process="front"} 1')
    expect(text).toContain('process_cpu_seconds_total{process="front"}')
  })

  it('of several processes stand under one head a metric', () => {
    const text = (process: string) =>
      `# HELP a Help of a.\n# TYPE a counter\na{process="${process}"} 1\n\n# HELP b Help.\n# TYPE b gauge\nb{process="${process}"} 2\n`
    expect(mergeMetricTexts([text('front'), text('work')])).toBe(
      '# HELP a Help of a.\n# TYPE a counter\na{process="front"} 1\na{process="work"} 1\n\n' +
        '# HELP b Help.\n# TYPE b gauge\nb{process="front"} 2\nb{process="work"} 2\n',
    )
  })
})
