/**
 * The key with which this browser trades, the same in every tab: entered once, stored without its readable
 * secret, and removed from all tabs at once.
 */
import { signal } from '@preact/signals'
import type { KeptKey, KeyStore } from './key-store.ts'

export type KeyState =
  | { readonly kind: 'reading' }
  /**
   * The page was not loaded over a secure connection: browsers then do not offer keys that cannot be
   * exported.
   */
  | { readonly kind: 'insecure' }
  /** `isLeft`: the browser did not erase the removed key. */
  | { readonly kind: 'none'; readonly isLeft?: true }
  /** If `isKept` is false, the browser stores nothing for this page, and the key lasts as long as the tab. */
  | { readonly kind: 'held'; readonly key: KeptKey; readonly isKept: boolean }

/** Messages between tabs, sent over a `BroadcastChannel`. */
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
  /** Number of changes of the key: data read before a change is outdated. */
  #changes = 0

  constructor(ports: KeyHolderPorts) {
    this.#ports = ports
    ports.tabs.onmessage = ({ data }) => {
      if (data === FORGOTTEN) this.#drop()
      else if (data === TAKEN) void this.start()
    }
  }

  /** Reads the stored key. */
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

  /**
   * Makes the page trade with this key from now on; `account`: its owner, if known. The text of the secret is
   * not stored.
   */
  async take(apiKey: string, secret: string, account?: string): Promise<void> {
    const { subtle, importSecret } = this.#ports
    if (subtle === undefined) return
    const named = account === undefined ? {} : { account }
    await this.hold({ apiKey, secret: await importSecret(subtle, secret), ...named })
  }

  /** Makes the page trade with this session key from now on; the page does not have its secret as text. */
  async hold(key: KeptKey): Promise<void> {
    const { subtle, store, tabs } = this.#ports
    if (subtle === undefined) return
    const isKept = await store.write(key).then(
      () => true,
      () => false,
    )
    this.#changes++
    this.state.value = { kind: 'held', key, isKept }
    if (isKept) tabs.postMessage(TAKEN)
  }

  /** Removes the key: no tab of this browser trades with it any longer, and it is no longer stored. */
  async forget(): Promise<void> {
    const { tabs, store } = this.#ports
    this.#changes++
    // Nothing is sent with the key from here on; the state changes again once the key is erased.
    this.state.value = { kind: 'reading' }
    tabs.postMessage(FORGOTTEN)
    this.state.value = await store.clear().then(
      () => ({ kind: 'none' }) as const,
      () => ({ kind: 'none', isLeft: true }) as const,
    )
  }

  #drop(): void {
    const { kind } = this.state.value
    // The key being read may be the one that is being removed.
    this.#changes++
    if (kind === 'held' || kind === 'reading') this.state.value = { kind: 'none' }
  }
}
