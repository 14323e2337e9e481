/** The pair of a session: the browser keeps the secret half, and not even the page can read it. */

export type SessionPair = {
  readonly secret: CryptoKey
  /** 32 bytes of Ed25519, or the 65 of a point of P-256, in base64url, as the exchange takes them. */
  readonly publicKey: string
}

/** P-256 where the browser has no Ed25519. Rejects where it has neither. */
export async function newSessionPair(subtle: SubtleCrypto): Promise<SessionPair> {
  const ofKind = (algorithm: string | EcKeyGenParams) =>
    subtle.generateKey(algorithm, false, ['sign', 'verify']) as Promise<CryptoKeyPair>
  const pair = await ofKind('Ed25519').catch(() => ofKind({ name: 'ECDSA', namedCurve: 'P-256' }))
  const raw = new Uint8Array(await subtle.exportKey('raw', pair.publicKey))
  const text = btoa(String.fromCharCode(...raw))
  const publicKey = text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  return { secret: pair.privateKey, publicKey }
}
