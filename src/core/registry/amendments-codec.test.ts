import { expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import { timeMs } from '../../units/quantities.ts'
import { readApiKeyExtras, writeApiKeyExtras } from './amendments-codec.ts'

type Extras = ReturnType<typeof readApiKeyExtras>

function bytesOf(extras: Extras): string {
  const writer = new ByteWriter()
  writeApiKeyExtras(writer, extras)
  return Buffer.from(writer.take()).toString('hex')
}

const read = (hex: string) => readApiKeyExtras(new ByteReader(new Uint8Array(Buffer.from(hex, 'hex'))))

/** As they were written when a revoked key was a byte of its own. */
const OLD: readonly (readonly [string, Extras])[] = [
  ['88070000', { expiresAt: timeMs(904) }],
  ['000100', { isRevoked: true }],
  ['00000501aa', { previousSecret: { sealedSecret: Uint8Array.of(0xaa), until: timeMs(5) } }],
]

test('changes of a key that say nothing of strict signatures are the bytes that they have always been', () => {
  for (const [hex, extras] of OLD) {
    expect(bytesOf(extras)).toBe(hex)
    expect(read(hex)).toEqual(extras)
  }
})

test('that a key demands strict signatures is a bit beside the one of revoked keys', () => {
  expect(bytesOf({ strictSignature: true })).toBe('000200')
  expect(read('000200')).toEqual({ strictSignature: true })
  expect(read('000300')).toEqual({ isRevoked: true, strictSignature: true })
  expect(() => read('000400')).toThrow(BytesFault)
})
