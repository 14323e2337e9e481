import { expect, test } from 'bun:test'
import type { EngineOutput, OutgoingRequest } from '../../engine/port/requests.ts'
import { account, limit } from '../../engine/writer/commands.fixture.ts'
import { ByteWriter } from '../../units/bytes.ts'
import type { AccountId, AssetId, OrderNumber, SymbolId } from '../../units/ids.ts'
import { amount, type Seq, type TimeMs } from '../../units/quantities.ts'
import { readOutput, readRequests, writeOutput, writeRequest } from './messages.ts'

type Numbered = { readonly request: number } & OutgoingRequest

function blockOf(...requests: Numbered[]): ArrayBuffer {
  const writer = new ByteWriter()
  for (const { request, ...outgoing } of requests) writeRequest(writer, request, outgoing)
  return writer.take().buffer
}

const number = (2 ** 40) as OrderNumber

const requests: Numbered[] = [
  { kind: 'command', request: 1, command: limit(3, 'BUY', 2 ** 53 - 1, 1), deadline: undefined },
  { kind: 'command', request: 2, command: account('late'), deadline: 1_790_000_000_123 as TimeMs },
  {
    kind: 'command',
    request: 3,
    command: limit(3, 'BUY', 1, 1),
    deadline: 1_790_000_000_123 as TimeMs,
    charge: { ticket: 7, accountId: 3 as AccountId, orders: 20, at: 1_790_000_000_000 as TimeMs },
  },
  {
    kind: 'command',
    request: 4,
    command: limit(3, 'SELL', 1, 1),
    deadline: undefined,
    charge: { ticket: 8, accountId: 3 as AccountId, orders: 1, at: 1_790_000_000_001 as TimeMs },
  },
  {
    kind: 'query',
    request: 300,
    query: {
      name: 'openOrders',
      fields: { accountId: 3 as AccountId, symbolId: undefined, after: undefined },
    },
  },
  {
    kind: 'query',
    request: 301,
    query: {
      name: 'openOrders',
      fields: { accountId: 3 as AccountId, symbolId: 0 as SymbolId, after: { before: number, at: number } },
    },
  },
  {
    kind: 'query',
    request: 2 ** 40,
    query: { name: 'balances', fields: { accountId: 9 as AccountId } },
  },
  { kind: 'query', request: 5, query: { name: 'bootstrap', fields: undefined } },
]

test('requests arrive as they were sent, in order', () => {
  const { requests: received, unreadable } = readRequests(blockOf(...requests))
  expect(unreadable).toEqual([])
  const plain = received.map((request) => {
    if (request.kind !== 'command') return request
    const { frame: _, ...rest } = request
    return rest
  })
  expect(plain).toEqual(requests)
})

test('a command that cannot be read is named, and those around it arrive', () => {
  const first = new Uint8Array(
    blockOf({ kind: 'command', request: 1, command: account('a'), deadline: undefined }),
  )
  const strange = first.slice()
  strange[1] = 2
  strange[6] = 255 // the command's code, after kind, request and length
  const block = new Uint8Array([...first, ...strange, ...first]).buffer
  const { requests: received, unreadable } = readRequests(block)
  expect(received.map(({ request }) => request)).toEqual([1, 1])
  expect(unreadable).toEqual([2])
})

test('an output arrives as it was given, with events only when they are wanted', () => {
  const output: EngineOutput = {
    events: {
      seq: 9 as Seq,
      time: 1_700_000_000_000 as TimeMs,
      events: [
        {
          kind: 'ExternalTransfer',
          accountId: 3 as AccountId,
          assetId: 0 as AssetId,
          amount: amount(-(10n ** 30n)),
          reference: 'r',
        },
      ],
    },
    answers: [
      { kind: 'reply', request: 1, reply: { kind: 'Refused', reason: 'NO_LIQUIDITY' } },
      { kind: 'fault', request: 2, fault: 'OUTCOME_UNKNOWN' },
      {
        kind: 'answer',
        request: 3,
        answer: {
          name: 'openOrders',
          value: { orders: [], total: 3, next: { before: number, at: number } },
        },
      },
      { kind: 'answer', request: 4, answer: { name: 'balances', value: [] } },
    ],
  }
  const writer = new ByteWriter()
  writeOutput(writer, output, true)
  expect(readOutput(writer.take().buffer)).toEqual(output)
  writer.reset()
  writeOutput(writer, output, false)
  expect(readOutput(writer.take().buffer)).toEqual({ ...output, events: undefined })
})

test('the time arrives where a follower needs it, and is not sent otherwise', () => {
  const output: EngineOutput = { events: undefined, answers: [], passed: 1_700_000_000_000 as TimeMs }
  const writer = new ByteWriter()
  writeOutput(writer, output, true)
  expect(readOutput(writer.take().buffer)).toEqual(output)
  writer.reset()
  writeOutput(writer, output, false)
  expect(writer.length).toBe(0)
})
