// Prometheus metrics of one process. The supervisor puts the texts of all processes together (label
// process=).
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

type MetricLabels = Readonly<Record<string, string | number>>

interface CounterMetric {
  /** Adds `count`, 1 when absent. */
  inc(count?: number, labels?: MetricLabels): void
}

interface GaugeMetric {
  set(value: number, labels?: MetricLabels): void
}

interface HistogramMetric {
  observe(value: number, labels?: MetricLabels): void
}

/** A name asked for twice gives the same metric. Names: `logeye_<area>_<what>_<unit>`, counters end
 *  in `_total`. */
export interface Metrics {
  counter(name: string, help: string, labelNames?: readonly string[]): CounterMetric
  gauge(name: string, help: string, labelNames?: readonly string[]): GaugeMetric
  /** `buckets` are upper bounds, rising; default 1 ms to 10 s in seconds. */
  histogram(
    name: string,
    help: string,
    labelNames?: readonly string[],
    buckets?: readonly number[],
  ): HistogramMetric
  /** Calls `read` whenever the metrics are read: for values that somebody else holds. */
  onRead(read: () => void | Promise<void>): void
  /** Prometheus text format. */
  text(): Promise<string>
}

const DEFAULT_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

/** `process` becomes a label of every sample. */
export function openMetrics(process: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  const known = new Map<string, CounterMetric | GaugeMetric | HistogramMetric>()
  const readers: (() => void | Promise<void>)[] = []

  function once<M extends CounterMetric | GaugeMetric | HistogramMetric>(
    name: string,
    make: () => M,
  ): M {
    const metric = known.get(name) ?? make()
    known.set(name, metric)
    // A name is made by one kind of call only; prom-client refuses the second kind.
    return metric as M
  }
  const common = (name: string, help: string, labelNames: readonly string[] = []) => ({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
  })

  return {
    counter: (name, help, labelNames) =>
      once(name, () => {
        const counter = new Counter(common(name, help, labelNames))
        return {
          inc: (count = 1, labels) =>
            labels === undefined ? counter.inc(count) : counter.inc({ ...labels }, count),
        }
      }),
    gauge: (name, help, labelNames) =>
      once(name, () => {
        const gauge = new Gauge(common(name, help, labelNames))
        return {
          set: (value, labels) =>
            labels === undefined ? gauge.set(value) : gauge.set({ ...labels }, value),
        }
      }),
    histogram: (name, help, labelNames, buckets = DEFAULT_BUCKETS_SECONDS) =>
      once(name, () => {
        const histogram = new Histogram({
          ...common(name, help, labelNames),
          buckets: [...buckets],
        })
        return {
          observe: (value, labels) =>
            labels === undefined
              ? histogram.observe(value)
              : histogram.observe({ ...labels }, value),
        }
      }),
    onRead: (read) => void readers.push(read),
    text: async () => {
      for (const read of readers) await read()
      return registry.metrics()
    },
  }
}

/** One text of several: samples of one metric stand together under one head, as the format
 *  demands. */
export function mergeMetricTexts(texts: readonly string[]): string {
  const families = new Map<string, { head: string[]; samples: string[] }>()
  for (const text of texts) {
    let family = { head: [] as string[], samples: [] as string[] }
    for (const line of text.split('\n')) {
      const begin = /^# HELP (\S+)/.exec(line)
      if (begin?.[1] !== undefined) {
        family = families.get(begin[1]) ?? { head: [], samples: [] }
        families.set(begin[1], family)
      }
      if (line.startsWith('#')) {
        if (!family.head.includes(line) && family.head.length < 2) family.head.push(line)
      } else if (line !== '') family.samples.push(line)
    }
  }
  const blocks = [...families.values()].map((it) => [...it.head, ...it.samples].join('\n'))
  return `${blocks.join('\n\n')}\n`
}
