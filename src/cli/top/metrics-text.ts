/** Metrics as a node exports them, and their growth between two samples. */

export type Labels = Readonly<Record<string, string>>

export type Sample = { readonly labels: Labels; readonly value: number }

/** One sample of a node's metrics. */
export class Scrape {
  readonly #samplesByName: ReadonlyMap<string, readonly Sample[]>

  constructor(samplesByName: ReadonlyMap<string, readonly Sample[]>) {
    this.#samplesByName = samplesByName
  }

  samples(name: string): readonly Sample[] {
    return this.#samplesByName.get(name) ?? []
  }

  /** The sum over all label sets that match `labels`; undefined if the node does not export the metric. */
  value(name: string, labels: Labels = {}): number | undefined {
    const wanted = Object.entries(labels)
    const found = this.samples(name).filter((sample) =>
      wanted.every(([label, value]) => sample.labels[label] === value),
    )
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
  }

  /** The values of a label. */
  labelValues(name: string, label: string): string[] {
    return [...new Set(this.samples(name).flatMap(({ labels }) => labels[label] ?? []))]
  }
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g

/** Reads Prometheus' text format, version 0.0.4; other lines are skipped. */
export function parseMetrics(text: string): Scrape {
  const samplesByName = new Map<string, Sample[]>()
  for (const line of text.split('\n')) {
    const [, name, inside = '', figure = ''] = LINE.exec(line) ?? []
    if (name === undefined) continue
    const labels = Object.fromEntries(
      [...inside.matchAll(LABEL)].map(([, label = '', value = '']) => [label, unescaped(value)]),
    )
    const samples = samplesByName.get(name) ?? []
    samplesByName.set(name, samples)
    samples.push({ labels, value: figure === '+Inf' ? Number.POSITIVE_INFINITY : Number(figure) })
  }
  return new Scrape(samplesByName)
}

function unescaped(value: string): string {
  return value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
}

/** Two samples of one node, and the time between them. */
export class MeasuredInterval {
  readonly now: Scrape
  readonly #before: Scrape
  readonly #seconds: number

  constructor(before: Scrape, now: Scrape, seconds: number) {
    this.#before = before
    this.now = now
    this.#seconds = seconds
  }

  /** The growth of a counter; after a restart of the node, the growth from 0. */
  growth(name: string, labels?: Labels): number {
    const [before, now] = [this.#before.value(name, labels) ?? 0, this.now.value(name, labels) ?? 0]
    return now >= before ? now - before : now
  }

  perSecond(name: string, labels?: Labels): number {
    return this.growth(name, labels) / this.#seconds
  }

  /**
   * The value below which a share of a histogram's new values falls, interpolated linearly between its
   * bounds; undefined if there are no new values.
   */
  quantile(share: number, name: string, labels: Labels = {}): number | undefined {
    const bounds = this.now
      .labelValues(`${name}_bucket`, 'le')
      .map((le) => ({ le, bound: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) }))
      .toSorted((a, b) => a.bound - b.bound)
    const total = this.growth(`${name}_count`, labels)
    if (total === 0) return undefined
    let [below, lower] = [0, 0]
    for (const { le, bound } of bounds) {
      const count = this.growth(`${name}_bucket`, { ...labels, le })
      if (count >= share * total && count > below) {
        if (bound === Number.POSITIVE_INFINITY) return lower
        return lower + ((bound - lower) * (share * total - below)) / (count - below)
      }
      below = count
      lower = bound
    }
    return lower
  }
}
