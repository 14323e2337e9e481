/** The key pair of a session. The browser keeps the private key, which even the page cannot read. */

export type SessionPair = {
  readonly secret: CryptoKey
  /** 32 bytes for Ed25519, or 65 for a point of P-256, in base64url, as the exchange expects them. */
  readonly publicKey: string
}

/** P-256 if the browser does not support Ed25519. Rejects if it supports neither. */
export async function newSessionPair(subtle: SubtleCrypto): Promise<SessionPair> {
  const ofKind = (algorithm: string | EcKeyGenParams) =>
    subtle.generateKey(algorithm, false, ['sign', 'verify']) as Promise<CryptoKeyPair>
  const pair = await ofKind('Ed25519').catch(() => ofKind({ name: 'ECDSA', namedCurve: 'P-256' }))
  const raw = new Uint8Array(await subtle.exportKey('raw', pair.publicKey))
  const text = btoa(String.fromCharCode(...raw))
  const publicKey = text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return { secret: pair.privateKey, publicKey }
}
