/**
 * The master keys in use: secrets are sealed under the newest and open under any. There are two while the
 * master key is being rotated, otherwise one.
 */
import type { ApiKey } from '../../../core/registry/records.ts'
import { createSecretBox, type SecretBox, SecretBoxFault } from './secret-box.ts'

export type MasterKeys = {
  readonly newest: Uint8Array
  /** The previous key, which may still seal some secrets; undefined if there is none. */
  readonly previous: Uint8Array | undefined
}

/** Changes of the key ring. */
export type KeyRingChange =
  | { readonly kind: 'begun'; readonly newest: Uint8Array }
  /** The key before the newest is no longer needed. */
  | { readonly kind: 'retired' }

export class KeyRing implements SecretBox {
  readonly #randomBytes: (size: number) => Uint8Array
  #newest: SecretBox
  #previous: SecretBox | undefined
  /** Called with each change; undefined if no other process has the keys. */
  onChanged: ((change: KeyRingChange) => void) | undefined

  constructor({ newest, previous }: MasterKeys, randomBytes: (size: number) => Uint8Array) {
    this.#randomBytes = randomBytes
    this.#newest = createSecretBox(newest, randomBytes)
    this.#previous = previous === undefined ? undefined : createSecretBox(previous, randomBytes)
  }

  get isRotating(): boolean {
    return this.#previous !== undefined
  }

  seal(secret: string, apiKey: string): Uint8Array {
    return this.#newest.seal(secret, apiKey)
  }

  open(sealed: Uint8Array, apiKey: string): string {
    try {
      return this.#newest.open(sealed, apiKey)
    } catch (fault) {
      if (!(fault instanceof SecretBoxFault) || this.#previous === undefined) throw fault
      return this.#previous.open(sealed, apiKey)
    }
  }

  /**
   * The same secret sealed under the newest key; undefined if it is already sealed under that one. Throws
   * like `open`.
   */
  reseal(sealed: Uint8Array, apiKey: string): Uint8Array | undefined {
    try {
      this.#newest.open(sealed, apiKey)
      return undefined
    } catch (fault) {
      if (!(fault instanceof SecretBoxFault) || this.#previous === undefined) throw fault
      return this.seal(this.#previous.open(sealed, apiKey), apiKey)
    }
  }

  /** Seals secrets under this key from now on. The key must already be stored durably. */
  begin(newest: Uint8Array): void {
    this.#previous = this.#newest
    this.#newest = createSecretBox(newest, this.#randomBytes)
    this.onChanged?.({ kind: 'begun', newest })
  }

  /** Forgets the key before the newest. No secret may be sealed under it any more. */
  retire(): void {
    this.#previous = undefined
    this.onChanged?.({ kind: 'retired' })
  }
}

/** All sealed secrets of an API key: its current and its previous one. A key with a key pair has none. */
export function sealingsOf({ sealedSecret, previousSecret, publicKey }: ApiKey): readonly Uint8Array[] {
  if (publicKey !== undefined) return []
  return previousSecret === undefined ? [sealedSecret] : [sealedSecret, previousSecret.sealedSecret]
}
