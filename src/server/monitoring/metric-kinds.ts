/**
 * Metrics that are read on request, from numbers that the parts of a node count anyway. Each is one line: its
 * name with its unit, a sentence, and its source.
 */
import type { Metric, Registry } from 'prom-client'
import type { Histogram } from '../../engine/writer/histogram.ts'
import type { OnFault } from '../../units/guarded.ts'

export type Labels = Readonly<Record<string, string>>

/** A value, with the labels that distinguish it from others of the same metric. */
export type Reading = { readonly labels?: Labels; readonly value: number }

/** A single reading without labels. */
export function one(value: number): Reading[] {
  return [{ value }]
}

/** The reading of an optional value; none if it is undefined. */
export function present(value: number | undefined, convert = (known: number): number => known): Reading[] {
  return value === undefined ? [] : one(convert(value))
}

/** Yields no values if the part that provides them does not exist yet or cannot answer. */
type Read<Value> = () => Iterable<Value> | Promise<Iterable<Value>>

export type Metrics = {
  /** Adds a number that goes up and down. */
  gauge(name: string, help: string, read: Read<Reading>): void
  /** Adds a number that only grows while the process runs. */
  counter(name: string, help: string, read: Read<Reading>): void
  /** Adds the number of values in each range. */
  histogram(name: string, help: string, read: Read<readonly [Labels, Histogram]>): void
}

/** `onFault`: called for a metric that could not be read; it is left out, and all others are shown. */
export function metricsOf(registry: Registry, onFault: OnFault): Metrics {
  /** The package's own metrics store their counts; its registry requires only these members of a metric. */
  const add = (name: string, help: string, type: string, lines: () => Promise<readonly Line[]>): void => {
    const get = async () => ({ name, help, type, values: await readable(lines, onFault) })
    registry.registerMetric({ name, help, type, get } as unknown as Metric)
  }
  const plain = (type: string) => (name: string, help: string, read: Read<Reading>) =>
    add(name, help, type, async () =>
      Array.from(await read(), (reading) => ({ metricName: name, ...reading })),
    )
  return {
    gauge: plain('gauge'),
    counter: plain('counter'),
    histogram: (name, help, read) =>
      add(name, help, 'histogram', async () =>
        [...(await read())].flatMap(([labels, histogram]) => histogramLines(name, labels, histogram)),
      ),
  }
}

async function readable(lines: () => Promise<readonly Line[]>, onFault: OnFault): Promise<readonly Line[]> {
  try {
    return await lines()
  } catch (cause) {
    onFault(cause)
    return []
  }
}

type Line = { readonly metricName: string } & Reading

function histogramLines(name: string, labels: Labels, histogram: Histogram): Line[] {
  const counts = histogram.cumulative()
  const buckets = counts.map((value, at) => {
    const le = String(histogram.bounds[at] ?? '+Inf')
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: histogram.sum },
    { metricName: `${name}_count`, labels, value: counts.at(-1) ?? 0 },
  ]
}
