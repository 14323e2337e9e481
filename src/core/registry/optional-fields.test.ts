import { expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { KeyNumber } from '../../units/ids.ts'
import { timeMs } from '../../units/quantities.ts'
import {
  readApiKeyOptions,
  readSymbolOptions,
  writeApiKeyOptions,
  writeSymbolOptions,
} from './optional-fields.ts'

type Options = ReturnType<typeof readApiKeyOptions>

function bytesOf(options: Options): string {
  const writer = new ByteWriter()
  writeApiKeyOptions(writer, options)
  return Buffer.from(writer.take()).toString('hex')
}

const read = (hex: string) => readApiKeyOptions(new ByteReader(new Uint8Array(Buffer.from(hex, 'hex'))))

/** The bytes of a key's optional fields: they never change, and later fields get bits of their own. */
const KNOWN: readonly (readonly [string, Options])[] = [
  ['00', {}],
  ['018807', { expiresAt: timeMs(904) }],
  ['02', { isRevoked: true }],
  ['040501aa', { previousSecret: { sealedSecret: Uint8Array.of(0xaa), until: timeMs(5) } }],
  ['08', { strictSignature: true }],
  ['428004', { isRevoked: true, endedAt: timeMs(512) }],
  ['4200', { isRevoked: true, endedAt: timeMs(0) }],
  ['8001b960', { number: 12_345 as KeyNumber }],
  ['0b8807', { expiresAt: timeMs(904), isRevoked: true, strictSignature: true }],
]

test('each optional field of a key has a bit of its own, and is written only where it is there', () => {
  for (const [hex, options] of KNOWN) {
    expect(bytesOf(options)).toBe(hex)
    expect(read(hex)).toEqual(options)
  }
})

test('an unknown field, or one that says nothing, is refused', () => {
  for (const hex of ['10', '1f', '0100', '040001aa', '400c', '800101', '800200'])
    expect(() => read(hex)).toThrow(BytesFault)
})

test('the name of a symbol for clients of Binance has a bit of its own, and one that cannot be is refused', () => {
  const reader = (hex: string) => new ByteReader(new Uint8Array(Buffer.from(hex, 'hex')))
  const writer = new ByteWriter()
  writeSymbolOptions(writer, { binanceName: 'ABX' })
  expect(Buffer.from(writer.take()).toString('hex')).toBe('0403414258')
  expect(readSymbolOptions(reader('0403414258'))).toEqual({ binanceName: 'ABX' })
  for (const hex of ['0400', '0403414278', '0403412f42', '0803414258', `0421${'41'.repeat(33)}`])
    expect(() => readSymbolOptions(reader(hex))).toThrow(BytesFault)
})
