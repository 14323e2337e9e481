import { expect, test } from 'bun:test'
import { isP256Key, isSignedByP256, P256_KEY_BYTES, p256Key } from './p256.ts'

const { subtle } = crypto
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }

async function newPair() {
  const pair = (await subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])) as CryptoKeyPair
  return { pair, raw: new Uint8Array(await subtle.exportKey('raw', pair.publicKey)) }
}
async function signed({ privateKey }: CryptoKeyPair, text: string): Promise<Uint8Array> {
  return new Uint8Array(await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, Buffer.from(text)))
}

test('a key pair of a browser signs, and no changed text or signature is accepted', async () => {
  for (let n = 0; n < 20; n++) {
    const { pair, raw } = await newPair()
    expect([raw.length, isP256Key(raw)]).toEqual([P256_KEY_BYTES, true])
    const text = `text ${n}`
    const signature = await signed(pair, text)
    const key = p256Key(raw)
    expect(isSignedByP256(key, Buffer.from(text), signature)).toBe(true)
    expect(isSignedByP256(key, Buffer.from(`${text}!`), signature)).toBe(false)
    const changed = signature.map((byte, at) => (at === n ? byte ^ 1 : byte))
    expect(isSignedByP256(key, Buffer.from(text), changed)).toBe(false)
    expect(isSignedByP256(p256Key((await newPair()).raw), Buffer.from(text), signature)).toBe(false)
  }
})

test('a point off the curve, of another form or length, or with a coordinate that is too large, is not a key', async () => {
  const { raw } = await newPair()
  const point = (x: bigint, y: bigint) =>
    new Uint8Array(
      Buffer.from(`04${[x, y].map((each) => each.toString(16).padStart(64, '0')).join('')}`, 'hex'),
    )
  const prime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
  const rootOfB = 0x66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4n
  expect(isP256Key(point(0n, rootOfB))).toBe(true)
  for (const wrong of [
    raw.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
    raw.map((byte, at) => (at === 0 ? 3 : byte)),
    raw.subarray(0, 64),
    new Uint8Array(P256_KEY_BYTES),
    point(prime, rootOfB),
    point(0n, rootOfB + prime < 2n ** 256n ? rootOfB + prime : prime),
  ])
    expect(isP256Key(wrong)).toBe(false)
})

test('a signature of zeros fits no text', async () => {
  const { raw } = await newPair()
  expect(isSignedByP256(p256Key(raw), Buffer.from('text'), new Uint8Array(64))).toBe(false)
})
