/** An authenticator in software: ES256, discoverable, with user verification, attestation "none". */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

type Options = { readonly challenge: string; readonly user?: { readonly id: string } }

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** User present and verified; with a new credential. */
const VERIFIED = 0x05
const WITH_CREDENTIAL = 0x45

export class SoftPasskey {
  readonly id = randomBytes(16)
  readonly #pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  /**
   * The origin of the page that the browser shows: the browser reports it, and the passkey does not check it.
   */
  origin: string
  readonly #rpId: string
  #handle = ''
  #counter = 0

  constructor(origin: string, rpId: string) {
    this.origin = origin
    this.#rpId = rpId
  }

  /** The answer of `navigator.credentials.create`; `options` as the server sends them. */
  create(options: string): Record<string, unknown> {
    const { challenge, user } = JSON.parse(options) as Options
    this.#handle = user?.id ?? ''
    const { x = '', y = '' } = this.#pair.publicKey.export({ format: 'jwk' })
    const [point, other] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      point,
      Buffer.from('225820', 'hex'),
      other,
    ])
    const length = Buffer.from([0, this.id.length])
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, cose])
    const authData = Buffer.concat([this.#head(WITH_CREDENTIAL), credential])
    const size = Buffer.from([0x58, authData.length])
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      size,
      authData,
    ])
    return this.#credential({
      clientDataJSON: base64url(this.#clientData('webauthn.create', challenge)),
      attestationObject: base64url(attestationObject),
      transports: ['internal'],
    })
  }

  /** The answer of `navigator.credentials.get`. */
  get(options: string): Record<string, unknown> {
    const { challenge } = JSON.parse(options) as Options
    const authData = this.#head(VERIFIED)
    const clientData = this.#clientData('webauthn.get', challenge)
    const signature = createSign('sha256')
      .update(authData)
      .update(sha256(clientData))
      .sign(this.#pair.privateKey)
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      userHandle: this.#handle,
    })
  }

  #credential(response: object): Record<string, unknown> {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #head(flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.#counter)
    return Buffer.concat([sha256(this.#rpId), Buffer.from([flags]), counter])
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }
}
