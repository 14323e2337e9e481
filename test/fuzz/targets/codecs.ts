/**
 * Binary forms: reading any bytes produces a `BytesFault`, or a value that is written as exactly these bytes.
 */
import * as fc from 'fast-check'
import { type Codec, decodeWith, encodeWith } from '../../../src/core/commands/codec.contract.ts'
import { arbitraryCommand } from '../../../src/core/commands/command.arbitraries.ts'
import { readCommand, writeCommand } from '../../../src/core/commands/command-codec.ts'
import { readEvent, writeEvent } from '../../../src/core/events/event-codec.ts'
import { arbitraryEvent } from '../../../src/core/events/message.arbitraries.ts'
import { Exchange } from '../../../src/core/exchange/exchange.ts'
import { arbitraryReply } from '../../../src/core/questions/reply.arbitraries.ts'
import { readReply, writeReply } from '../../../src/core/questions/reply-codec.ts'
import { framesOf, writeFrame } from '../../../src/engine/port/frames.ts'
import {
  arbitraryByQuery,
  arbitraryQuery,
  arbitraryQueryAnswer,
} from '../../../src/engine/port/queries.arbitraries.ts'
import {
  ENGINE_QUERIES,
  QUERY_NAMES,
  type QueryName,
  type QueryValue,
} from '../../../src/engine/port/queries.ts'
import type { EngineAnswer } from '../../../src/engine/port/requests.ts'
import {
  readOutput,
  readRequests,
  writeOutput,
  writeRequest,
} from '../../../src/transport/thread/messages.ts'
import { BytesFault, ByteWriter } from '../../../src/units/bytes.ts'
import type { AccountId } from '../../../src/units/ids.ts'
import { timeMs } from '../../../src/units/quantities.ts'
import { RandomSource } from '../../model/random-source.ts'
import { Comparison, runSeeds } from '../../model/run.ts'
import { expectThat, type Target } from '../target.ts'

const SAMPLES = 60
/** Numbers at the limits of their binary forms: longest, too long, zero with a continuation, huge counts. */
const NUMBERS = [
  'ffffffffffffff0f',
  'ffffffffffffff10',
  '8000',
  'ffffffff07',
  'ffffffffffffffffff01',
  '00',
  '7f',
  '80',
].map((hex) => new Uint8Array(Buffer.from(hex, 'hex')))

type Options<T> = {
  readonly name: string
  readonly executions: number
  readonly codec: Codec<T>
  readonly values: fc.Arbitrary<T>
}

function codecTarget<T>({ name, executions, codec, values }: Options<T>): Target<Uint8Array> {
  const samples = fc.sample(values, { numRuns: SAMPLES, seed: 1 }).map((value) => encodeWith(codec, value))
  const check = (bytes: Uint8Array) =>
    oneForm(bytes, () => {
      const value = decodeWith(codec, bytes)
      return encodeWith(codec, value)
    })
  return { name, executions, samples, tokens: NUMBERS, check, outcomes: ['value', 'BytesFault'] }
}

/** `back` reads and writes again; the result must be the same bytes or a `BytesFault`. */
function oneForm(bytes: Uint8Array, back: () => Uint8Array | undefined): string {
  let written: Uint8Array | undefined
  try {
    written = back()
  } catch (error) {
    if (error instanceof BytesFault) return 'BytesFault'
    throw error
  }
  if (written === undefined) return 'in part'
  expectThat(
    Buffer.from(written).equals(bytes),
    () => `${Buffer.from(written).toString('hex')} is the form of what was read`,
  )
  return 'value'
}

export const command = () =>
  codecTarget({
    name: 'command',
    executions: 60_000,
    codec: { read: readCommand, write: writeCommand },
    values: arbitraryCommand,
  })
export const event = () =>
  codecTarget({
    name: 'event',
    executions: 40_000,
    codec: { read: readEvent, write: writeEvent },
    values: arbitraryEvent,
  })
export const reply = () =>
  codecTarget({
    name: 'reply',
    executions: 40_000,
    codec: { read: readReply, write: writeReply },
    values: arbitraryReply,
  })

/** The answer to each question to an engine, by the name of the question. */
export const queryAnswers: Readonly<Record<string, () => Target<Uint8Array>>> = Object.fromEntries(
  QUERY_NAMES.map((query) => {
    const name = query.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return [name, () => answerTarget(name, query)]
  }),
)

function answerTarget<Name extends QueryName>(name: string, query: Name): Target<Uint8Array> {
  const executions = query === 'bootstrap' ? 10_000 : 20_000
  return codecTarget<QueryValue<Name>>({
    name,
    executions,
    codec: ENGINE_QUERIES[query].value,
    values: arbitraryByQuery[query].value,
  })
}

const DEADLINE = timeMs(1_790_000_000_123)
const CHARGE = { ticket: 1, accountId: 3 as AccountId, orders: 20, at: DEADLINE }

/**
 * Requests from the gateway's thread. A command that cannot be decoded gets an answer with its number, not a
 * fault.
 */
export const requests = (): Target<Uint8Array> => ({
  name: 'requests',
  executions: 40_000,
  samples: fc
    .sample(fc.array(arbitraryCommand, { minLength: 1, maxLength: 4 }), { numRuns: 30, seed: 2 })
    .map((commands) => {
      const writer = new ByteWriter()
      for (const [request, command] of commands.entries())
        writeRequest(writer, request, {
          kind: 'command',
          command,
          deadline: request === 1 ? DEADLINE : undefined,
          charge: request === 2 ? CHARGE : undefined,
        })
      for (const query of fc.sample(arbitraryQuery, { numRuns: 4, seed: commands.length }))
        writeRequest(writer, 9, { kind: 'query', query })
      return writer.take()
    }),
  tokens: NUMBERS,
  check: (bytes) =>
    oneForm(bytes, () => {
      const { requests, unreadable } = readRequests(new Uint8Array(bytes).buffer)
      const writer = new ByteWriter()
      for (const { request, ...outgoing } of requests) writeRequest(writer, request, outgoing)
      return unreadable.length > 0 ? undefined : writer.take()
    }),
  outcomes: ['value', 'BytesFault', 'in part'],
})

/** Answers and events from the engine's thread. */
export const output = (): Target<Uint8Array> => ({
  name: 'output',
  executions: 30_000,
  samples: fc
    .sample(
      fc.tuple(
        fc.array(arbitraryEvent, { maxLength: 3 }),
        fc.array(arbitraryReply, { maxLength: 3 }),
        fc.array(arbitraryQueryAnswer, { maxLength: 2 }),
      ),
      { numRuns: 40, seed: 3 },
    )
    .map(([events, replies, values]) => {
      const writer = new ByteWriter()
      const answers: EngineAnswer[] = replies.map((reply, request) => ({ kind: 'reply', request, reply }))
      for (const answer of values) answers.push({ kind: 'answer', request: 300, answer })
      const batch = { seq: 7 as never, time: 8 as never, events }
      writeOutput(
        writer,
        {
          events: batch,
          answers: [...answers, { kind: 'fault', request: 3, fault: 'STOPPING' }],
          ...(replies.length === 1 ? { passed: 9 as never } : {}),
        },
        true,
      )
      return writer.take()
    }),
  tokens: NUMBERS,
  check: (bytes) =>
    oneForm(bytes, () => {
      const read = readOutput(new Uint8Array(bytes).buffer)
      const writer = new ByteWriter()
      writeOutput(writer, read, true)
      // The engine writes events first and once, and the time last and once; a reader accepts both at any
      // place.
      const written = writer.take()
      const isInOrder = bytes[0] === 1 && (read.passed === undefined || endsAlike(bytes, written))
      return written.length === bytes.length && isInOrder ? written : undefined
    }),
  outcomes: ['value', 'BytesFault'],
})

/** Whether the last number is the same, and the code before it. */
function endsAlike(bytes: Uint8Array, written: Uint8Array): boolean {
  const last = (of: Uint8Array): string => Buffer.from(of.slice(-9)).toString('hex')
  return last(bytes) === last(written)
}

/** Frames of a batch: the first byte is their expected number. */
export const frames = (): Target<Uint8Array> => ({
  name: 'frames',
  executions: 40_000,
  samples: fc
    .sample(fc.array(arbitraryCommand, { maxLength: 5 }), { numRuns: 30, seed: 4 })
    .map((commands) => {
      const writer = new ByteWriter()
      writer.u8(commands.length)
      for (const command of commands) writeFrame(writer, command)
      return writer.take()
    }),
  tokens: [...NUMBERS, Uint8Array.of(0, 0, 0, 0), Uint8Array.of(255, 255, 255, 255)],
  check: (bytes) =>
    oneForm(
      bytes,
      () =>
        new Uint8Array(Buffer.concat([bytes.subarray(0, 1), ...framesOf(bytes.subarray(1), bytes[0] ?? 0)])),
    ),
  outcomes: ['value', 'BytesFault'],
})

/** The state's own form, as a snapshot's payload. The balances of a state that is read must also add up. */
export const snapshotState = (): Target<Uint8Array> => ({
  name: 'snapshot-state',
  executions: 6_000,
  samples: [new Exchange().encodeSnapshot(), ...Array.from({ length: 6 }, (_, seed) => stateAfter(seed))],
  tokens: NUMBERS,
  check: (bytes) =>
    oneForm(bytes, () => {
      const exchange = Exchange.decodeSnapshot(bytes)
      for (const { sum, negatives, wrongHolds, asset } of exchange.audit()) {
        expectThat(
          sum === 0 && negatives === 0 && wrongHolds === 0,
          () => `${asset.code} does not add up: ${sum}, ${negatives}, ${wrongHolds}`,
        )
      }
      return exchange.encodeSnapshot()
    }),
  outcomes: ['value', 'BytesFault'],
})

function stateAfter(seed: number): Uint8Array {
  const random = new RandomSource(seed)
  const comparison = new Comparison()
  runSeeds(
    Array.from({ length: 60 }, () => random.word()),
    () => {},
    comparison,
  )
  return comparison.core.encodeSnapshot()
}
