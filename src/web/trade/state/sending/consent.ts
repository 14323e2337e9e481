/**
 * The user's consents in this browser: that orders are sent without a confirmation of each, and that one
 * click in the book places an order. The first belongs to the browser; the second to one key, and ends with
 * it. If a price or a value is beyond the limits that are set, the page asks nevertheless.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { browserEntry, type Entry, membersOf } from '../../../shared/browser-entry.ts'
import type { BrowserStorage } from '../../../shared/browser-storage.ts'

export type KeptConsent = {
  readonly asksAlways: boolean
  /** The API key for which one click places an order. */
  readonly oneClickKey: string | undefined
}

export function consentEntry(storage: BrowserStorage): Entry<KeptConsent> {
  return browserEntry(storage, 'bourse-consent', (kept) => {
    const { asksAlways, oneClickKey } = membersOf(kept)
    return {
      asksAlways: asksAlways !== false,
      oneClickKey: typeof oneClickKey === 'string' ? oneClickKey : undefined,
    }
  })
}

export class Consent {
  readonly #entry: Entry<KeptConsent>
  readonly #apiKey: ReadonlySignal<string | undefined>
  readonly #kept = signal<KeptConsent>({ asksAlways: true, oneClickKey: undefined })
  /** The page asks before it sends or moves an order. */
  readonly asksAlways = computed(() => this.#kept.value.asksAlways)
  /** A click on a price of the book places an order. */
  readonly isOneClick = computed(() => {
    const apiKey = this.#apiKey.value
    return apiKey !== undefined && this.#kept.value.oneClickKey === apiKey
  })

  /** `apiKey`: the key that the page holds. */
  constructor(entry: Entry<KeptConsent>, apiKey: ReadonlySignal<string | undefined>) {
    this.#entry = entry
    this.#apiKey = apiKey
    this.#kept.value = entry.read()
    entry.watch(() => {
      this.#kept.value = entry.read()
    })
  }

  setAsksAlways(asksAlways: boolean): void {
    this.#write({ ...this.#kept.value, asksAlways })
  }

  /** Called when the user has read the explanation, and agrees. */
  agreeToOneClick(): void {
    this.#write({ ...this.#kept.value, oneClickKey: this.#apiKey.value })
  }

  endOneClick(): void {
    if (this.#kept.value.oneClickKey !== undefined)
      this.#write({ ...this.#kept.value, oneClickKey: undefined })
  }

  #write(kept: KeptConsent): void {
    this.#kept.value = kept
    this.#entry.write(kept)
  }
}
