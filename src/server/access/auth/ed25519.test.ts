import { expect, test } from 'bun:test'
import { generateKeyPairSync, sign } from 'node:crypto'
import fc from 'fast-check'
import { ed25519Key, isEd25519Form, isSignedByEd25519, parsePublicKey, publicKeyFault } from './ed25519.ts'

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))
const base64 = (raw: Uint8Array): string => Buffer.from(raw).toString('base64')

/** RFC 8032, section 7.1: tests 1 to 3. */
const VECTORS = [
  {
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: '72',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
  {
    publicKey: 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    message: 'af82',
    signature:
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  },
] as const
const [, , VECTOR] = VECTORS

/** A key pair as held by its owner, and its stored public key. */
function pair() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(12))
  return { pem, raw, sign: (message: Uint8Array) => base64(sign(null, message, privateKey)) }
}

const OWN = pair()
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

test.each(VECTORS)('RFC 8032: the signature of $message under $publicKey is valid', (vector) => {
  const key = ed25519Key(bytes(vector.publicKey))
  const signature = base64(bytes(vector.signature))
  expect(publicKeyFault(bytes(vector.publicKey))).toBeUndefined()
  expect(isSignedByEd25519(key, bytes(vector.message), signature)).toBe(true)
  expect(isSignedByEd25519(key, bytes(`${vector.message}00`), signature)).toBe(false)
})

test('a public key is taken as PEM, as SubjectPublicKeyInfo, and as 32 bytes in base64 or hexadecimal', () => {
  fc.assert(
    fc.property(fc.constant(undefined).map(pair), ({ pem, raw }) => {
      const hex = Buffer.from(raw).toString('hex')
      const spki = pem.split('\n').slice(1, -2).join('')
      const texts = [pem, pem.replaceAll('\n', '\r\n'), spki, base64(raw), hex, hex.toUpperCase()]
      for (const text of texts) expect(parsePublicKey(text)).toEqual(raw)
    }),
    { numRuns: 20 },
  )
})

test('anything but an Ed25519 public key is refused', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const x25519 = generateKeyPairSync('x25519').publicKey
  const { privateKey } = generateKeyPairSync('ed25519')
  const right = base64(OWN.raw)
  const last = ALPHABET.indexOf(right[42] as string)
  const texts = [
    '',
    right.slice(1),
    `${right}=`,
    `${right.slice(0, 42)}${ALPHABET[last + 1]}=`,
    right.replaceAll('=', ''),
    '00'.repeat(31),
    ec.export({ type: 'spki', format: 'pem' }).toString(),
    x25519.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    `-----BEGIN PUBLIC KEY-----${' '.repeat(100_000)}`,
  ]
  for (const text of texts) expect(parsePublicKey(text)).toBeUndefined()
})

/** Every encoding, including non-canonical ones, of a point of order 1, 2, 4 or 8. */
const SMALL_ORDER_KEYS = [
  `01${'00'.repeat(31)}`,
  `01${'00'.repeat(30)}80`,
  `ec${'ff'.repeat(30)}7f`,
  `ec${'ff'.repeat(31)}`,
  `00${'00'.repeat(31)}`,
  `00${'00'.repeat(30)}80`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
]
const NOT_CANONICAL_KEYS = ['ed', 'ee'].flatMap((first) => [
  `${first}${'ff'.repeat(30)}7f`,
  `${first}${'ff'.repeat(31)}`,
])

test.each(SMALL_ORDER_KEYS)(
  'the public key %s, for which one signature fits many texts, is refused',
  (hex) => {
    expect(publicKeyFault(bytes(hex))).toBe('SMALL_ORDER')
    expect(parsePublicKey(hex)).toBeUndefined()
  },
)

test('the runtime itself accepts a signature without a secret under a key of small order', () => {
  const nobody = base64(bytes(`01${'00'.repeat(31)}${'00'.repeat(32)}`))
  const key = ed25519Key(bytes(SMALL_ORDER_KEYS[0] as string))
  for (const text of ['a', 'b']) expect(isSignedByEd25519(key, Buffer.from(text), nobody)).toBe(true)
})

test.each(NOT_CANONICAL_KEYS)('the public key %s, which is a second encoding, is refused', (hex) => {
  expect(publicKeyFault(bytes(hex))).toBe('NOT_CANONICAL')
})

test('about half of all 32-byte strings are not points, and those are refused', () => {
  const faults = Array.from({ length: 256 }, (_, at) => {
    const raw = bytes(`${at.toString(16).padStart(2, '0')}${'5a'.repeat(31)}`)
    return publicKeyFault(raw)
  })
  const refused = faults.filter((fault) => fault === 'NOT_ON_CURVE').length
  expect(faults.every((fault) => fault === undefined || fault === 'NOT_ON_CURVE')).toBe(true)
  expect(refused).toBeGreaterThan(90)
  expect(refused).toBeLessThan(166)
  expect(publicKeyFault(new Uint8Array(31))).toBe('LENGTH')
})

test('every key of a pair is accepted, and its signature is valid for its text alone', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(511), (message, bit) => {
      const { raw, sign: signed } = pair()
      expect(publicKeyFault(raw)).toBeUndefined()
      const key = ed25519Key(raw)
      const signature = signed(message)
      expect(isEd25519Form(signature)).toBe(true)
      expect(isSignedByEd25519(key, message, signature)).toBe(true)
      expect(isSignedByEd25519(key, new Uint8Array([...message, 0]), signature)).toBe(false)
      const changed = Buffer.from(signature, 'base64')
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7))
      expect(isSignedByEd25519(key, message, base64(changed))).toBe(false)
      expect(isSignedByEd25519(ed25519Key(pair().raw), message, signature)).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('a signature has one encoding: unused bits are zero, and its scalar is reduced', () => {
  const key = ed25519Key(bytes(VECTOR.publicKey))
  const message = bytes(VECTOR.message)
  const right = base64(bytes(VECTOR.signature))
  const last = ALPHABET.indexOf(right[85] as string)
  const twin = `${right.slice(0, 85)}${ALPHABET[last + 1]}==`
  expect(Buffer.from(twin, 'base64')).toEqual(Buffer.from(right, 'base64'))
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const raw = Buffer.from(VECTOR.signature, 'hex')
  const scalar = BigInt(`0x${Buffer.from(raw.subarray(32)).reverse().toString('hex')}`) + order
  const large = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()
  const others = [
    twin,
    base64(Buffer.concat([raw.subarray(0, 32), large])),
    right.slice(0, -1),
    `${right}\n`,
    right.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
    VECTOR.signature,
    '',
  ]
  for (const other of others) expect(isSignedByEd25519(key, message, other)).toBe(false)
  expect(isSignedByEd25519(key, message, right)).toBe(true)
})
