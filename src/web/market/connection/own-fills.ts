/**
 * The newest own fills in the visible period, from the account's history. They are requested once the view
 * stops moving.
 */
import type { Fill, FillPage } from '../../../client/interface/orders.ts'
import { isRefusedForGood } from './refused-for-good.ts'

/** Milliseconds, both inclusive; without `to`, up to now. */
export type Period = { readonly from: number; readonly to?: number | undefined }

export type FillSource = (
  period: Period & { readonly symbol: string; readonly limit: number },
  options: { readonly signal: AbortSignal },
) => Promise<FillPage>

export type OwnFillsOptions = {
  readonly symbol: string
  /** Undefined while requests are not possible. */
  readonly source: () => FillSource | undefined
  readonly onFills: () => void
  /** Pause after a failure, in milliseconds. */
  readonly failedMs?: number | undefined
}

/** Maximum number of fills kept for the visible period. */
export const FILLS_MAX = 500

/** Time without movement before a request. */
const STILL_MS = 300
/** Pause after a failure, which movements do not shorten. */
const FAILED_MS = 10_000

export class OwnFills {
  readonly #options: OwnFillsOptions
  #fills: readonly Fill[] = []
  #known: (Period & { readonly isCut: boolean }) | undefined
  #wanted: Period | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #stop = new AbortController()
  /** No request is sent before this time, by `performance.now`. */
  #notBefore = 0
  /** The source whose requests the exchange refuses. */
  #refusedBy: FillSource | undefined

  constructor(options: OwnFillsOptions) {
    this.#options = options
  }

  get fills(): readonly Fill[] {
    return this.#fills
  }

  /** Whether older fills of this period exist that are not loaded. */
  get isCut(): boolean {
    return this.#known?.isCut ?? false
  }

  /** Called when this period is visible. */
  want(period: Period): void {
    this.#wanted = period
    if (this.#isKnown(period) || performance.now() < this.#notBefore) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), STILL_MS)
  }

  /** Adds new fills, newest first. */
  add(fills: readonly Fill[]): void {
    const known = new Set(this.#fills.map(keyOf))
    const added = fills.filter((fill) => !known.has(keyOf(fill)))
    if (added.length > 0) this.#fills = [...added, ...this.#fills].slice(0, FILLS_MAX)
  }

  /** Discards everything: the key was replaced or removed. */
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

  /**
   * A truncated answer is complete from its oldest fill on, so it has the newest fills of every period with
   * the same end.
   */
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
      // Feed updates that arrived while the answer was pending may be newer than the answer.
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

/** A trade of an account with itself has two fills. */
function keyOf({ id, orderId }: Fill): string {
  return `${id} ${orderId}`
}
