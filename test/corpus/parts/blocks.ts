/** Blocks: all requests of one turn of a gateway, and all output of a flush of the engine. */
import * as fc from 'fast-check'
import { arbitraryCommandByKind } from '../../../src/core/commands/command.arbitraries.ts'
import { arbitraryEventByKind } from '../../../src/core/events/message.arbitraries.ts'
import { arbitraryReplyByKind } from '../../../src/core/questions/reply.arbitraries.ts'
import { ENGINE_FAULT_KINDS } from '../../../src/engine/port/fault.ts'
import { arbitraryByQuery } from '../../../src/engine/port/queries.arbitraries.ts'
import type { EngineAnswer, EngineOutput, OutgoingRequest } from '../../../src/engine/port/requests.ts'
import {
  readOutput,
  readRequests,
  writeOutput,
  writeRequest,
} from '../../../src/transport/thread/messages.ts'
import { ByteWriter } from '../../../src/units/bytes.ts'
import type { AccountId } from '../../../src/units/ids.ts'
import { seq, timeMs } from '../../../src/units/quantities.ts'

/** A request has a number, output does not. */
export type Block =
  | { readonly kind: OutgoingRequest['kind']; readonly request: number; readonly outgoing: OutgoingRequest }
  | { readonly kind: EngineAnswer['kind'] | 'output'; readonly output: EngineOutput }

const request = fc.nat(2 ** 32)
const time = fc.nat(2 ** 40).map(timeMs)
const charge = fc.record({
  ticket: fc.nat(),
  accountId: fc.nat().map((id) => id as AccountId),
  orders: fc.nat(300),
  at: time,
})

const answering = (kind: EngineAnswer['kind'], answer: fc.Arbitrary<EngineAnswer>): fc.Arbitrary<Block> =>
  answer.map((each) => ({ kind, output: { events: undefined, answers: [each] } }))

/** The commands, events, replies, questions and answers in the blocks are covered by other parts. */
export const arbitraryBlockByKind: { readonly [K in Block['kind']]: fc.Arbitrary<Block> } = {
  command: fc
    .record({
      request,
      command: arbitraryCommandByKind.CancelOrder,
      deadline: fc.option(time, { nil: undefined }),
      charge: fc.option(charge, { nil: undefined }),
    })
    .map(
      ({ request, ...rest }): Block => ({ kind: 'command', request, outgoing: { kind: 'command', ...rest } }),
    ),
  query: fc
    .record({ request, fields: arbitraryByQuery.balances.fields })
    .map(({ request, fields }): Block => {
      return { kind: 'query', request, outgoing: { kind: 'query', query: { name: 'balances', fields } } }
    }),
  reply: answering(
    'reply',
    fc.record({ kind: fc.constant('reply' as const), request, reply: arbitraryReplyByKind.Done }),
  ),
  answer: answering(
    'answer',
    fc.record({
      kind: fc.constant('answer' as const),
      request,
      answer: arbitraryByQuery.balances.value.map((value) => ({ name: 'balances' as const, value })),
    }),
  ),
  fault: answering(
    'fault',
    fc.record({
      kind: fc.constant('fault' as const),
      request,
      fault: fc.constantFrom(...ENGINE_FAULT_KINDS),
    }),
  ),
  output: fc
    .record({
      seq: fc.nat().map(seq),
      time,
      events: fc.array(arbitraryEventByKind.BanLifted, { maxLength: 3 }),
      hasEnds: fc.boolean(),
      passed: fc.option(time, { nil: undefined }),
    })
    .map(({ hasEnds, passed, ...batch }): Block => {
      const ends = hasEnds ? { ends: [0, batch.events.length] } : {}
      const output = { events: { ...batch, ...ends }, answers: [] }
      return { kind: 'output', output: passed === undefined ? output : { ...output, passed } }
    }),
}

/** The byte before each block, which is its kind. */
const KINDS: readonly Block['kind'][] = ['command', 'query', 'reply', 'answer', 'fault', 'output']

export function writeBlock(block: Block): Uint8Array {
  const writer = new ByteWriter()
  writer.u8(KINDS.indexOf(block.kind))
  if ('output' in block) writeOutput(writer, block.output, true)
  else writeRequest(writer, block.request, block.outgoing)
  return writer.take()
}

export function readBlock(bytes: Uint8Array): unknown {
  const kind = KINDS[bytes[0] ?? KINDS.length]
  const rest = bytes.slice(1).buffer as ArrayBuffer
  if (kind !== 'command' && kind !== 'query') return { kind, output: readOutput(rest) }
  const { requests, unreadable } = readRequests(rest)
  const [first] = requests
  if (first === undefined || unreadable.length > 0) throw new Error('expected a request that can be read')
  if (first.kind === 'query') return { kind, request: first.request, outgoing: { kind, query: first.query } }
  const { request, frame: _, ...outgoing } = first
  return { kind, request, outgoing }
}
