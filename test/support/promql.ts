/**
 * The part of PromQL that the alert rules use, evaluated over the scrapes of a test. An unknown word is an
 * error, so that no rule is skipped silently.
 */

export type Labels = Readonly<Record<string, string>>
export type Sample = { readonly labels: Labels; readonly value: number }
/** The samples of one scrape, at a time in seconds. */
export type ScrapedAt = { readonly at: number; readonly samples: readonly Sample[] }

/** A sample older than this does not count as a current value. */
const STALE_SECONDS = 300
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}
const TOKEN = /\s*(==|>=|=~|[-+*/(){}[\],=<>]|"[^"]*"|\d+(?:\.\d+)?[smhd]\b|\d+(?:\.\d+)?|\w+)/gy

type Value = number | readonly Sample[]
type Evaluate = (at: number) => Value
/** The samples of each series within a range that ends at a given time, oldest first. */
type Range = (at: number) => Map<string, { labels: Labels; points: { at: number; value: number }[] }>

/** The function that returns the samples for which `expression` is true at a given time. */
export function promql(expression: string, scrapes: readonly ScrapedAt[]): (at: number) => readonly Sample[] {
  const parser = new Parser(expression, scrapes)
  const evaluate = parser.whole()
  return (at) => {
    const value = evaluate(at)
    if (typeof value === 'number') throw new Error(`${expression}: expected samples, found ${value}`)
    return value
  }
}

class Parser {
  readonly #tokens: string[]
  readonly #scrapes: readonly ScrapedAt[]
  readonly #text: string

  constructor(text: string, scrapes: readonly ScrapedAt[]) {
    this.#text = text
    this.#scrapes = scrapes
    this.#tokens = [...text.trim().matchAll(TOKEN)].map(([, token = '']) => token)
    if (this.#tokens.join('').replaceAll(/\s/g, '') !== text.replaceAll(/\s/g, ''))
      this.#fail('is not understood')
  }

  whole(): Evaluate {
    const evaluate = this.#sets()
    if (this.#tokens.length > 0) this.#fail(`goes on with ${this.#tokens.join(' ')}`)
    return evaluate
  }

  #fail(problem: string): never {
    throw new Error(`${this.#text}: ${problem}`)
  }

  #take(expected?: string): string {
    const token = this.#tokens.shift()
    if (token === undefined || (expected !== undefined && token !== expected))
      return this.#fail(`expected ${expected ?? 'more'}, found ${token}`)
    return token
  }

  #isNext(...tokens: readonly string[]): boolean {
    return tokens.includes(this.#tokens[0] ?? '')
  }

  /** Consumes the token if it is the next one; otherwise returns false. */
  #passes(token: string): boolean {
    if (!this.#isNext(token)) return false
    this.#take()
    return true
  }

  #sets(): Evaluate {
    let left = this.#comparison()
    while (this.#isNext('and', 'unless')) {
      const isWanted = this.#take() === 'and'
      const keyOf = this.#matching()
      const [one, two] = [left, this.#comparison()]
      left = (at) => {
        const others = new Set(vector(two(at)).map(({ labels }) => keyOf(labels)))
        return vector(one(at)).filter(({ labels }) => others.has(keyOf(labels)) === isWanted)
      }
    }
    return left
  }

  #comparison(): Evaluate {
    const left = this.#product()
    if (!this.#isNext(...Object.keys(COMPARISONS))) return left
    const holds = COMPARISONS[this.#take()] as (a: number, b: number) => boolean
    const right = this.#product()
    return (at) => {
      const other = right(at)
      const all = vector(left(at))
      if (typeof other === 'number') return all.filter(({ value }) => holds(value, other))
      const valueByKey = new Map(other.map(({ labels, value }) => [allBut('__name__')(labels), value]))
      return all.filter(({ labels, value }) =>
        holds(value, valueByKey.get(allBut('__name__')(labels)) ?? Number.NaN),
      )
    }
  }

  /** The only computations in the rules are products of numbers. */
  #product(): Evaluate {
    let left = this.#operand()
    while (this.#isNext('*')) {
      this.#take()
      const [one, two] = [left, this.#operand()]
      left = (at) => Number(one(at)) * Number(two(at))
    }
    return left
  }

  #operand(): Evaluate {
    const token = this.#take()
    if (/^\d/.test(token)) return () => Number(token)
    if (token === '-') {
      const operand = this.#operand()
      return (at) => -Number(operand(at))
    }
    if (token === '(') {
      const inner = this.#sets()
      this.#take(')')
      return inner
    }
    if (token === 'sum') return this.#sum()
    if (token === 'histogram_quantile') return this.#quantile()
    if (this.#isNext('(')) return this.#overRange(token)
    const read = this.#selector(token)
    const offset = this.#passes('offset') ? seconds(this.#take()) : 0
    return (at) =>
      [...read(STALE_SECONDS)(at - offset).values()].map(({ labels, points }) => ({
        labels,
        value: points.at(-1)?.value as number,
      }))
  }

  #sum(): Evaluate {
    let keyOf: (labels: Labels) => string = () => ''
    let names: readonly string[] = []
    if (this.#passes('by')) {
      names = this.#names()
      keyOf = only(names)
    }
    this.#take('(')
    const inner = this.#sets()
    this.#take(')')
    return (at) => {
      const sums = new Map<string, { labels: Labels; value: number }>()
      for (const { labels, value } of vector(inner(at))) {
        const kept = Object.fromEntries(Object.entries(labels).filter(([name]) => names.includes(name)))
        const sum = sums.get(keyOf(labels))
        sums.set(keyOf(labels), { labels: kept, value: (sum?.value ?? 0) + value })
      }
      return [...sums.values()]
    }
  }

  #quantile(): Evaluate {
    this.#take('(')
    const quantile = Number(this.#take())
    this.#take(',')
    const inner = this.#sets()
    this.#take(')')
    return (at) => {
      const bucketsByKey = Map.groupBy(vector(inner(at)), ({ labels }) => allBut('le')(labels))
      return [...bucketsByKey.values()].map((buckets) => ({
        labels: buckets[0]?.labels ?? {},
        value: quantileOf(quantile, buckets),
      }))
    }
  }

  #overRange(name: string): Evaluate {
    this.#take('(')
    const read = this.#selector(this.#take())
    this.#take('[')
    const length = seconds(this.#take())
    this.#take(']')
    const ahead = this.#passes(',') ? this.#product() : undefined
    this.#take(')')
    const compute = OVER_RANGE[name] ?? this.#fail(`${name} is not known`)
    return (at) =>
      [...read(length)(at).values()]
        .filter(({ points }) => points.length > 1 || name === 'changes')
        .map(({ labels: { __name__, ...labels }, points }) => ({
          labels,
          value: compute(points, length, Number(ahead?.(at) ?? 0)),
        }))
  }

  #selector(name: string): (length: number) => Range {
    const matchers: ((labels: Labels) => boolean)[] = [({ __name__ }) => __name__ === name]
    if (this.#isNext('{')) {
      this.#take()
      while (!this.#isNext('}')) {
        const [label, operator, quoted] = [this.#take(), this.#take(), this.#take().slice(1, -1)]
        const pattern = new RegExp(`^(?:${operator === '=~' ? quoted : RegExp.escape(quoted)})$`)
        matchers.push((labels) => pattern.test(labels[label] ?? ''))
        this.#passes(',')
      }
      this.#take('}')
    }
    // Computed once for all times: an expression is evaluated at hundreds of them.
    const found = this.#scrapes.map(({ at, samples }) => {
      const matching = samples.filter(({ labels }) => matchers.every((matches) => matches(labels)))
      return { at, matching: matching.map((sample) => ({ ...sample, key: allBut()(sample.labels) })) }
    })
    return (length) => (at) => {
      const series: ReturnType<Range> = new Map()
      for (const scrape of found) {
        if (scrape.at <= at - length || scrape.at > at) continue
        for (const { labels, value, key } of scrape.matching) {
          if (!series.has(key)) series.set(key, { labels, points: [] })
          series.get(key)?.points.push({ at: scrape.at, value })
        }
      }
      return series
    }
  }

  #matching(): (labels: Labels) => string {
    if (!this.#passes('on')) return allBut('__name__')
    return only(this.#names())
  }

  #names(): string[] {
    const names: string[] = []
    this.#take('(')
    while (!this.#isNext(')')) {
      names.push(this.#take())
      this.#passes(',')
    }
    this.#take(')')
    return names
  }
}

type Points = readonly { readonly at: number; readonly value: number }[]

/**
 * Without Prometheus' extrapolation to the ends of the range: no limit of the rules is so close that this
 * makes a difference.
 */
const OVER_RANGE: Readonly<Record<string, (points: Points, length: number, ahead: number) => number>> = {
  changes: (points) => pairs(points).filter(([before, after]) => before !== after).length,
  increase: grown,
  rate: (points, length) => grown(points) / length,
  predict_linear: (points, _length, ahead) => {
    const [last] = points.slice(-1)
    const meanAt = mean(points.map(({ at }) => at))
    const meanValue = mean(points.map(({ value }) => value))
    const spread = mean(points.map(({ at }) => (at - meanAt) ** 2))
    const slope = mean(points.map(({ at, value }) => (at - meanAt) * (value - meanValue))) / spread
    return meanValue + slope * ((last?.at ?? 0) - meanAt + ahead)
  },
}

/** A counter that falls was reset. */
function grown(points: Points): number {
  return pairs(points).reduce((sum, [before, after]) => sum + (after >= before ? after - before : after), 0)
}

function pairs(points: Points): [number, number][] {
  return points.slice(1).map(({ value }, i) => [points[i]?.value as number, value])
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function quantileOf(quantile: number, buckets: readonly Sample[]): number {
  const sorted = buckets
    .map(({ labels, value }) => ({ le: Number(labels.le === '+Inf' ? Infinity : labels.le), count: value }))
    .toSorted((a, b) => a.le - b.le)
  const rank = quantile * (sorted.at(-1)?.count ?? 0)
  if (rank === 0) return Number.NaN
  const at = sorted.findIndex(({ count }) => count >= rank)
  const [below, bucket] = [sorted[at - 1] ?? { le: 0, count: 0 }, sorted[at]]
  if (bucket === undefined || bucket.le === Infinity) return below.le
  return below.le + ((bucket.le - below.le) * (rank - below.count)) / (bucket.count - below.count)
}

function vector(value: Value): readonly Sample[] {
  if (typeof value === 'number') throw new Error(`expected samples, found ${value}`)
  return value
}

function only(names: readonly string[]): (labels: Labels) => string {
  return (labels) => JSON.stringify(names.map((name) => labels[name] ?? ''))
}

function allBut(...names: readonly string[]): (labels: Labels) => string {
  return (labels) =>
    JSON.stringify(
      Object.entries(labels)
        .filter(([name]) => !names.includes(name))
        .toSorted(),
    )
}

function seconds(duration: string): number {
  const unit = UNIT_SECONDS[duration.at(-1) ?? '']
  if (unit === undefined) throw new Error(`expected a duration, found ${duration}`)
  return Number(duration.slice(0, -1)) * unit
}
