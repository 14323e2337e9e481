/** The key that this browser trades with, the same in every tab: taken once, kept without its secret, forgotten everywhere at once. */
import { signal } from '@preact/signals'
import type { KeptKey, KeyStore } from './key-store.ts'

export type KeyState =
  | { readonly kind: 'reading' }
  /** The page came over a way that browsers do not trust: they offer no keys that cannot be read out. */
  | { readonly kind: 'insecure' }
  /** `isLeft`: the browser did not erase the key that was forgotten. */
  | { readonly kind: 'none'; readonly isLeft?: true }
  /** `isKept` false: the browser stores nothing for this page, and the key lasts as long as the tab. */
  | { readonly kind: 'held'; readonly key: KeptKey; readonly isKept: boolean }

/** Messages between tabs; a `BroadcastChannel` carries them. */
export type TabMessages = {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
}

export type KeyHolderPorts = {
  /** Undefined without a secure context. */
  readonly subtle: SubtleCrypto | undefined
  readonly store: KeyStore
  readonly tabs: TabMessages
  readonly importSecret: (subtle: SubtleCrypto, secret: string) => Promise<CryptoKey>
}

const TAKEN = 'taken'
const FORGOTTEN = 'forgotten'

export class KeyHolder {
  readonly #ports: KeyHolderPorts
  readonly state = signal<KeyState>({ kind: 'reading' })
  /** Counts what has become of the key: what was read before that is of no use any more. */
  #changes = 0

  constructor(ports: KeyHolderPorts) {
    this.#ports = ports
    ports.tabs.onmessage = ({ data }) => {
      if (data === FORGOTTEN) this.#drop()
      else if (data === TAKEN) void this.start()
    }
  }

  /** Reads what is kept. */
  async start(): Promise<void> {
    if (this.#ports.subtle === undefined) {
      this.state.value = { kind: 'insecure' }
      return
    }
    const changes = ++this.#changes
    const key = await this.#ports.store.read().catch(() => undefined)
    if (changes !== this.#changes) return
    this.state.value = key === undefined ? { kind: 'none' } : { kind: 'held', key, isKept: true }
  }

  /** From now on the page trades with this key; `account`: whose it is, where that is known. The text of the secret is kept nowhere. */
  async take(apiKey: string, secret: string, account?: string): Promise<void> {
    const { subtle, store, tabs, importSecret } = this.#ports
    if (subtle === undefined) return
    const named = account === undefined ? {} : { account }
    const key: KeptKey = { apiKey, secret: await importSecret(subtle, secret), ...named }
    const isKept = await store.write(key).then(
      () => true,
      () => false,
    )
    this.#changes++
    this.state.value = { kind: 'held', key, isKept }
    if (isKept) tabs.postMessage(TAKEN)
  }

  /** No tab of this browser trades with the key any more, and it is kept no more. */
  async forget(): Promise<void> {
    const { tabs, store } = this.#ports
    this.#changes++
    // Nothing is sent with it from here on; that it is forgotten is said when it is erased.
    this.state.value = { kind: 'reading' }
    tabs.postMessage(FORGOTTEN)
    this.state.value = await store.clear().then(
      () => ({ kind: 'none' }) as const,
      () => ({ kind: 'none', isLeft: true }) as const,
    )
  }

  #drop(): void {
    const { kind } = this.state.value
    // The key that is being read may be the one that is forgotten.
    this.#changes++
    if (kind === 'held' || kind === 'reading') this.state.value = { kind: 'none' }
  }
}
