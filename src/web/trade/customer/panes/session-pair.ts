/** The pair of a session: the browser keeps the secret half, and not even the page can read it. */

export type SessionPair = {
  readonly secret: CryptoKey
  /** 32 bytes in base64url, as the exchange takes them. */
  readonly publicKey: string
}

/** Rejects where the browser has no Ed25519. */
export async function newSessionPair(subtle: SubtleCrypto): Promise<SessionPair> {
  const pair = (await subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  const raw = new Uint8Array(await subtle.exportKey('raw', pair.publicKey))
  const text = btoa(String.fromCharCode(...raw))
  const publicKey = text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return { secret: pair.privateKey, publicKey }
}
