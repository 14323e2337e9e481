import { describe, expect, test } from 'bun:test'
import { BytesFault } from '../../units/bytes.ts'
import { InvariantError } from '../../units/invariant.ts'
import {
  ORDER_TYPES,
  PERMISSIONS,
  SELF_TRADE_MODES,
  SIDES,
  SYMBOL_STATES,
  TIMES_IN_FORCE,
} from '../../units/order-enums.ts'
import { decodeWith, encodeWith, testCodec } from './codec.contract.ts'
import { arbitraryCommandByKind } from './command.arbitraries.ts'
import { GOLDEN_COMMANDS, limitOrder } from './command.golden.ts'
import { COMMAND_CODES, type Command, type CommandKind } from './command.ts'
import { readCommand, writeCommand } from './command-codec.ts'
import type { PlaceOrder } from './orders.ts'

const KINDS = Object.keys(COMMAND_CODES) as CommandKind[]

const CODEC = { write: writeCommand, read: readCommand }

function encode(command: Command): Uint8Array {
  return encodeWith(CODEC, command)
}

function decode(bytes: Uint8Array): Command {
  return decodeWith(CODEC, bytes)
}

test('every code is what it has always been', () => {
  expect(COMMAND_CODES).toEqual({
    PlaceOrder: 1,
    CancelOrder: 2,
    Credit: 3,
    Debit: 4,
    MoveBetweenBuckets: 5,
    ListAsset: 6,
    SetAssetFlags: 7,
    ListSymbol: 8,
    SetSymbolState: 9,
    SetSymbolRates: 10,
    CreateAccount: 11,
    CreateApiKey: 12,
    SetApiKeyEnabled: 13,
    SetRulesVersion: 14,
    SetAccountRestrictions: 15,
    CloseAccount: 16,
    SetAccountTerms: 17,
    CancelOrders: 18,
    SetAssetTerms: 19,
    SetSymbolTerms: 20,
    SetFeeTier: 21,
    HoldWithdrawal: 22,
    CompleteWithdrawal: 23,
    CancelWithdrawal: 24,
    MoveSavings: 25,
    PayOutCommission: 26,
    SetApiKeyTerms: 27,
    RotateApiKey: 28,
    RevokeApiKey: 29,
    AddApiKey: 82,
    ChangeRestrictions: 83,
    OpenCustomer: 85,
    RaiseCustomerEpoch: 86,
    ForgetCustomer: 87,
    AddAdminToken: 30,
    RevokeAdminToken: 31,
    Approve: 32,
    Reject: 33,
    BanAddress: 34,
    LiftBan: 35,
    ResealSecret: 36,
    SetApiKeyStrict: 37,
    AcceptClock: 38,
    CancelClientOrder: 39,
    MarkTime: 40,
    TriggerOrder: 41,
    AmendOrder: 42,
    ExpireOrder: 46,
    ReplaceOrder: 43,
    CancelAllOrders: 47,
    ContinueCancelAll: 48,
    SetCountdown: 49,
    FireCountdown: 50,
    PlaceList: 54,
    CancelList: 55,
    CancelClientList: 56,
    PlacePending: 57,
    OpenSession: 51,
    DisconnectSession: 52,
    EndSession: 53,
    DisconnectSessions: 58,
    SetSymbolIncrements: 59,
    SetPhase: 60,
    PlanPhases: 61,
    EnterPhase: 62,
    BeginEpoch: 90,
    AskWithdrawal: 63,
    RetractWithdrawal: 64,
    SetOwnAddress: 65,
    SetAccountAddress: 66,
    SetWithdrawalTerms: 67,
    HandleWithdrawal: 68,
    SetRole: 69,
    AddToken: 70,
    SetTokenTerms: 71,
    SetRoleLimit: 72,
    SetApprovalsNeeded: 73,
    CancelAnyOrder: 74,
    SetAccountProfile: 75,
    SetSpecialTerms: 76,
    NoteChange: 79,
  })
  expect(Object.isFrozen(COMMAND_CODES)).toBe(true)
})

test('every word has the number it has always had', () => {
  const startsWith = (words: readonly string[], first: readonly string[]) => {
    expect(words.slice(0, first.length)).toEqual([...first])
  }
  startsWith(SIDES, ['BUY', 'SELL'])
  startsWith(ORDER_TYPES, ['LIMIT', 'MARKET'])
  startsWith(TIMES_IN_FORCE, ['GTC', 'IOC'])
  startsWith(SELF_TRADE_MODES, ['NONE', 'EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'])
  startsWith(SYMBOL_STATES, ['TRADING', 'HALTED'])
  startsWith(PERMISSIONS, ['TRADE', 'WALLET', 'USER_DATA'])
})

describe('the journal format does not change', () => {
  test('every kind has golden bytes', () => {
    expect(new Set(GOLDEN_COMMANDS.map(([command]) => command.kind))).toEqual(new Set(KINDS))
  })
  for (const [command, hex] of GOLDEN_COMMANDS) {
    test(`${command.kind} ${hex.slice(0, 16)}`, () => {
      expect(Buffer.from(encode(command)).toString('hex')).toBe(hex)
      expect(decode(Buffer.from(hex, 'hex'))).toEqual(command)
    })
  }
})

testCodec<Command>(CODEC, arbitraryCommandByKind)

describe('damage is a fault that names the place', () => {
  const damaged: readonly (readonly [string, readonly number[], string])[] = [
    ['an unknown code', [99], 'unknown command code 99 at byte 0'],
    ['zeroed storage', [0, 0, 0, 0], 'unknown command code 0 at byte 0'],
    ['an unknown presence bit of an order', [1, 128, 8, 0, 1, 1], 'presence 1024'],
    ['a LIMIT order that follows the price', [1, 131, 4, 0, 1, 1, 5, 5, 10], 'presence 515, words 0'],
    ['a GTD order without a time to end at', [1, 3, 0b110000, 1, 1, 5, 5], 'presence 3, words 48'],
    ['a GTC order with a time to end at', [1, 67, 0, 1, 1, 5, 5, 5], 'presence 67, words 0'],
    ['a presence bitmap beyond 32 bits', [1, 128, 128, 128, 128, 16, 0, 1, 1], 'presence 4294967296'],
    ['an unknown order type', [1, 0, 0b1110, 1, 1], 'expected 0 to 6 before byte 3, found 7'],
    ['a LIMIT order with a stop price', [1, 35, 0, 1, 1, 5, 5, 5], 'presence 35, words 0'],
    ['a STOP_LOSS order with a price', [1, 35, 0b0111, 1, 1, 5, 5, 5], 'presence 35, words 7'],
    ['a STOP_LOSS_LIMIT order without a stop price', [1, 3, 0b1000, 1, 1, 5, 5], 'presence 3, words 8'],
    ['unknown words of an order', [1, 0, 128, 1, 1, 1], 'unknown words of an order before byte 4: 128'],
    ['a LIMIT_MAKER with a time in force', [1, 3, 0b10100, 1, 1, 5, 5], 'presence 3, words 20'],
    ['an unknown self-trade mode', [1, 8, 0, 1, 1, 5], 'expected 0 to 4 before byte 6, found 5'],
    [
      'a price above 2^53-1',
      [1, 1, 0, 1, 1, 255, 255, 255, 255, 255, 255, 255, 31],
      'above 2^53-1 at byte 5',
    ],
    ['a number longer than necessary', [1, 0, 0, 0x81, 0, 1], 'longer than necessary before byte 5'],
    ['a flag that is neither 0 nor 1', [13, 0, 0, 0, 2], 'expected 0 or 1 at byte 4, found 2'],
    ['text that is not UTF-8', [11, 0, 0, 1, 0xff], 'malformed UTF-8 before byte 5'],
    [
      'a list longer than the bytes',
      [12, 0, 0, 1, 0, 0, 255, 255, 255, 255, 15],
      'expected 1 bytes at byte 11 of 11',
    ],
  ]
  for (const [name, bytes, sentence] of damaged) {
    test(name, () => {
      expect(() => decode(Uint8Array.from(bytes))).toThrow(BytesFault)
      expect(() => decode(Uint8Array.from(bytes))).toThrow(sentence)
    })
  }
})

describe('a value without a form is never written as another', () => {
  const wrong: readonly (readonly [string, Record<string, unknown>])[] = [
    ['a fraction', { price: 1.5 }],
    ['a negative quantity', { quantity: -1 }],
    ['a price above 2^53-1', { price: 2 ** 53 }],
    ['not a number', { accountId: Number.NaN }],
    ['an unknown side', { side: 'HOLD' }],
    ['an unknown type', { type: 'STOP' }],
    ['an unknown time in force', { timeInForce: 'GTX' }],
    ['a lone surrogate', { clientOrderId: 'a\ud800' }],
    ['an integer too long to be read back', { total: 2n ** 5_000n }],
    ['an unknown kind', { kind: 'PlaceBet' }],
  ]
  for (const [name, fields] of wrong) {
    test(name, () => {
      expect(() => encode({ ...limitOrder, ...fields } as PlaceOrder)).toThrow(InvariantError)
    })
  }

  test('locked money moved by an operator', () => {
    const moveCommand = GOLDEN_COMMANDS.map(([command]) => command).find(
      (c) => c.kind === 'MoveBetweenBuckets',
    )
    const move = { ...moveCommand, from: 'locked' } as unknown as Command
    expect(() => encode(move)).toThrow(InvariantError)
  })
})

test('a usual order takes at most 16 bytes', () => {
  expect(encode(limitOrder).length).toBeLessThanOrEqual(16)
})
