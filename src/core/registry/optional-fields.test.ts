import { describe, expect, test } from 'bun:test'
import { ByteReader, BytesFault, ByteWriter } from '../../units/bytes.ts'
import type { KeyNumber } from '../../units/ids.ts'
import { ADDRESS_DELAY_DEFAULT_MS, ADDRESS_DELAY_MAX_MS } from '../../units/limits.ts'
import { timeMs } from '../../units/quantities.ts'
import type { ByteCodec } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import * as options from './optional-fields.ts'

function readBack<Value>({ write, read }: ByteCodec<Value>, value: unknown): Value {
  const w = new ByteWriter()
  write(w, value as Value)
  const r = new ByteReader(w.take())
  const found = read(r)
  r.end()
  return found
}

const codecs = {
  asset: byteCodec(options.assetWith({})),
  symbol: byteCodec(options.symbolWith({})),
  account: byteCodec(options.accountWith({})),
  key: byteCodec(options.keyWith({})),
} as const
const PROFILE = { customerId: '', labels: [], fields: [], remark: '' }
const BY_OPERATOR = { OPERATOR: ['TRADE'], CUSTOMER: [] }

type Case = readonly [record: keyof typeof codecs, what: string, value: object]

const possible: readonly Case[] = [
  ['asset', 'limits of one unit', { creditMax: 1, approvalAbove: 1, withdrawMin: 1, withdrawMax: 1 }],
  ['asset', 'no delay', { addressDelayMs: 0 }],
  ['asset', 'the longest delay', { addressDelayMs: ADDRESS_DELAY_MAX_MS }],
  ['symbol', 'a band of one price', { priceBand: { min: 1, max: 1 }, binanceName: 'X' }],
  ['symbol', 'an increment of prices alone', { increments: { tickSize: 2, stepSize: 1 } }],
  ['account', 'a mark of a customer', { customer: { epoch: 0, isForgotten: true } }],
  ['account', 'a profile with a remark alone', { profile: { ...PROFILE, remark: 'x' } }],
  ['key', 'everything', { expiresAt: 1, isRevoked: true, wire: 'BINANCE', endedAt: 2, number: 2 }],
]

const impossible: readonly Case[] = [
  ['asset', 'a limit of 0', { withdrawMin: 0 }],
  ['asset', 'the delay of every asset', { addressDelayMs: ADDRESS_DELAY_DEFAULT_MS }],
  ['asset', 'a delay above the longest', { addressDelayMs: ADDRESS_DELAY_MAX_MS + 1 }],
  ['symbol', 'a band from 0', { priceBand: { min: 0, max: 1 } }],
  ['symbol', 'a band that is upside down', { priceBand: { min: 2, max: 1 } }],
  ['symbol', 'the increments of every symbol', { increments: { tickSize: 1, stepSize: 1 } }],
  ['symbol', 'an increment of 0', { increments: { tickSize: 2, stepSize: 0 } }],
  ['symbol', 'a name in small letters', { binanceName: 'x' }],
  ['account', 'no restrictions', { restrictions: [] }],
  ['account', 'a tier without a name', { feeTier: '' }],
  ['account', 'at most 0 open orders', { openOrdersMax: 0 }],
  ['account', 'an empty profile', { profile: PROFILE }],
  ['account', 'labels out of order', { profile: { ...PROFILE, labels: ['b', 'a'] } }],
  ['account', 'special terms without terms', { special: {} }],
  ['account', 'a multiple of 0', { special: { orderRate: { times: 0, until: 0 } } }],
  ['account', 'sources without the customer', { restrictions: ['TRADE'], restrictionsBySource: BY_OPERATOR }],
  ['account', 'sources without their union', { restrictionsBySource: { OPERATOR: [], CUSTOMER: ['TRADE'] } }],
  ['key', 'an end at 0', { expiresAt: 0 }],
  ['key', 'the end of a key that is not revoked', { endedAt: 1 }],
  ['key', 'the number of every first key', { number: 1 }],
]

describe('optional fields of records', () => {
  test.each(possible)('of an %s are read as they were written: %s', (record, _, value) => {
    expect(readBack<unknown>(codecs[record] as ByteCodec<unknown>, value)).toEqual(value)
  })

  test.each(impossible)('of an %s that no record has are refused: %s', (record, _, value) => {
    expect(() => readBack(codecs[record] as ByteCodec<unknown>, value)).toThrow(BytesFault)
  })
})

type Options = ReturnType<typeof codecs.key.read>

function bytesOf(key: Options): string {
  const writer = new ByteWriter()
  codecs.key.write(writer, key)
  return Buffer.from(writer.take()).toString('hex')
}

const read = (hex: string) => codecs.key.read(new ByteReader(new Uint8Array(Buffer.from(hex, 'hex'))))

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
  for (const [hex, key] of KNOWN) {
    expect(bytesOf(key)).toBe(hex)
    expect(read(hex)).toEqual(key)
  }
})

test('an unknown field, and one without a value, is refused', () => {
  for (const hex of ['10', '1f', '0100', '040001aa', '400c', '800101', '800200'])
    expect(() => read(hex)).toThrow(BytesFault)
})

test('the name of a symbol for clients of Binance has a bit of its own, and an impossible one is refused', () => {
  const reader = (hex: string) => new ByteReader(new Uint8Array(Buffer.from(hex, 'hex')))
  const writer = new ByteWriter()
  codecs.symbol.write(writer, { binanceName: 'ABX' })
  expect(Buffer.from(writer.take()).toString('hex')).toBe('0403414258')
  expect(codecs.symbol.read(reader('0403414258'))).toEqual({ binanceName: 'ABX' })
  for (const hex of ['0400', '0403414278', '0403412f42', '0803414258', `0421${'41'.repeat(33)}`])
    expect(() => codecs.symbol.read(reader(hex))).toThrow(BytesFault)
})
