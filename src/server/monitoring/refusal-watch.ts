/**
 * Detects that all orders are refused for reasons of the service itself. The state lasts until an order is
 * accepted: it is not cleared when traders give up.
 */
import { REASON_NAMES, REASONS, type Reason } from '../../contract/reasons/catalogue.ts'

/**
 * The alarm needs this number of refusals, and this long without an accepted order: one client that is too
 * fast is not a fault of the service.
 */
const REFUSALS_MIN = 10
const REFUSED_MS_MIN = 60_000

/**
 * Every reason for which the service itself may refuse all orders and that health does not already report.
 */
export const SERVICE_REASONS: readonly Reason[] = REASON_NAMES.filter(
  (reason) => REASONS[reason].refuses === 'EVERYBODY',
)

export class RefusalWatch {
  readonly #refusals: ReadonlyMap<Reason, number>
  readonly #placed: () => number
  #placedBefore = 0
  /** The time at which an order was last accepted, or of the first check. */
  #sinceMs: number | undefined
  #refusedBefore = 0
  #isRefused = false

  /** `refusals`: number of refusals by reason; `placed`: number of accepted orders. */
  constructor(refusals: ReadonlyMap<Reason, number>, placed: () => number) {
    this.#refusals = refusals
    this.#placed = placed
  }

  /** Whether all orders are refused. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Must be called periodically, with monotonic milliseconds. */
  look(nowMs: number): void {
    const refused = SERVICE_REASONS.reduce((sum, reason) => sum + (this.#refusals.get(reason) ?? 0), 0)
    const placed = this.#placed()
    if (this.#sinceMs === undefined || placed !== this.#placedBefore) {
      this.#placedBefore = placed
      this.#refusedBefore = refused
      this.#sinceMs = nowMs
    }
    // Without a refusal there is no evidence that an order would have failed.
    if (refused === this.#refusedBefore) this.#sinceMs = nowMs
    this.#isRefused = refused - this.#refusedBefore >= REFUSALS_MIN && nowMs - this.#sinceMs >= REFUSED_MS_MIN
  }
}
