/** Own fills of the time that is looked at, from the history of the account: the newest ones of it, asked for once the view stands still. */
import type { Fill, FillPage } from '../../../client/interface/orders.ts'
import { isRefusedForGood } from './refused-for-good.ts'

/** Milliseconds, both included; without `to` up to now. */
export type Period = { readonly from: number; readonly to?: number | undefined }

export type FillSource = (
  period: Period & { readonly symbol: string; readonly limit: number },
  options: { readonly signal: AbortSignal },
) => Promise<FillPage>

export type OwnFillsOptions = {
  readonly symbol: string
  /** Undefined: nobody may ask at the moment. */
  readonly source: () => FillSource | undefined
  readonly onFills: () => void
  /** How much later it is asked again after it went wrong, in milliseconds. */
  readonly failedMs?: number | undefined
}

/** Fills kept of what is looked at. */
export const FILLS_MAX = 500

/** How long nothing moves before it is asked. */
const STILL_MS = 300
/** After it went wrong it is asked again so much later, and no movement asks sooner. */
const FAILED_MS = 10_000

export class OwnFills {
  readonly #options: OwnFillsOptions
  #fills: readonly Fill[] = []
  #known: (Period & { readonly isCut: boolean }) | undefined
  #wanted: Period | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #stop = new AbortController()
  /** Before it nothing is asked, by `performance.now`. */
  #notBefore = 0
  /** Whom the exchange does not let ask. */
  #refusedBy: FillSource | undefined

  constructor(options: OwnFillsOptions) {
    this.#options = options
  }

  get fills(): readonly Fill[] {
    return this.#fills
  }

  /** There are older ones of this time, which are not here. */
  get isCut(): boolean {
    return this.#known?.isCut ?? false
  }

  /** This time is looked at. */
  want(period: Period): void {
    this.#wanted = period
    if (this.#isKnown(period) || performance.now() < this.#notBefore) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), STILL_MS)
  }

  /** What happened meanwhile, newest first. */
  add(fills: readonly Fill[]): void {
    const known = new Set(this.#fills.map(keyOf))
    const added = fills.filter((fill) => !known.has(keyOf(fill)))
    if (added.length > 0) this.#fills = [...added, ...this.#fills].slice(0, FILLS_MAX)
  }

  /** Nothing of it is known any more: another key, or none. */
  forget(): void {
    this.close()
    this.#stop = new AbortController()
    this.#fills = []
    this.#known = undefined
    this.#notBefore = 0
    if (this.#wanted !== undefined) this.want(this.#wanted)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#stop.abort()
  }

  /** What was cut is known to where it was cut: it has the newest ones of every time with the same end. */
  #isKnown({ from, to }: Period): boolean {
    const known = this.#known
    if (known === undefined || known.from > from) return false
    return known.to === to || (!known.isCut && endOf(known) >= endOf({ to }))
  }

  async #ask(): Promise<void> {
    const { symbol, source, onFills } = this.#options
    const [period, ask] = [this.#wanted, source()]
    if (period === undefined || ask === undefined || ask === this.#refusedBy) return
    this.#stop.abort()
    this.#stop = new AbortController()
    const { signal } = this.#stop
    try {
      const { fills, next } = await ask({ symbol, ...period, limit: FILLS_MAX }, { signal })
      if (signal.aborted) return
      const kept = this.#fills
      this.#fills = fills
      // What the feed said while the answer was under way may be newer than the answer.
      if (period.to === undefined) this.add(kept.filter(({ time }) => time > (fills[0]?.time ?? period.from)))
      this.#known = { ...period, isCut: next !== undefined }
      onFills()
    } catch (error) {
      if (signal.aborted) return
      if (isRefusedForGood(error)) {
        this.#refusedBy = ask
        return
      }
      const { failedMs = FAILED_MS } = this.#options
      this.#notBefore = performance.now() + failedMs
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#ask(), failedMs)
    }
  }
}

function endOf({ to = Number.POSITIVE_INFINITY }: Pick<Period, 'to'>): number {
  return to
}

/** Who trades with himself has two fills of one trade. */
function keyOf({ id, orderId }: Fill): string {
  return `${id} ${orderId}`
}
