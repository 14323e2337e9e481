/**
 * Messages between the gateway thread and the engine thread: one block of bytes for all requests of one turn,
 * one for the whole output of a flush, and a few plain messages about starting and stopping. Both ends run
 * the same version, so the format has no version; a link to another process (`../link/protocol/greeting.ts`)
 * agrees on one before the first block.
 */

import type { EventBatch, ExchangeEvent } from '../../core/events/event.ts'
import { readEvent, writeEvent } from '../../core/events/event-codec.ts'
import { readReply, writeReply } from '../../core/questions/reply-codec.ts'
import { ENGINE_FAULT_KINDS, type EngineFaultKind } from '../../engine/port/fault.ts'
import { readFrame, writeFrame } from '../../engine/port/frames.ts'
import type { JournalFaultKind } from '../../engine/port/journal.ts'
import { readQuery, readQueryAnswer, writeQuery, writeQueryAnswer } from '../../engine/port/queries.ts'
import type { RequestNumber } from '../../engine/port/request-client.ts'
import type {
  EngineAnswer,
  EngineOutput,
  EngineRequest,
  OutgoingRequest,
} from '../../engine/port/requests.ts'
import type { StopReport } from '../../engine/writer/compose.ts'
import type { ClockReading } from '../../engine/writer/journal-clock.ts'
import type { RecoveryProgress, RecoveryReport } from '../../engine/writer/recovery/recovery.ts'
import { decodeFrame } from '../../engine/writer/recovery/replay.ts'
import { ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import type { AccountId } from '../../units/ids.ts'
import type { OrderCharge } from '../../units/order-charge.ts'
import { seq, type TimeMs, timeMs } from '../../units/quantities.ts'
import type { Channel } from './channel.ts'

/** A channel that can transfer memory instead of copying it. */
export interface BlockChannel extends Channel {
  postMessage(message: unknown): void
  postMessage(message: unknown, transfer: ArrayBuffer[]): void
}

/** Gateway to engine; requests are an `ArrayBuffer`. */
export type ToEngine = ArrayBuffer | { readonly kind: 'begin' | 'settle' | 'stop' }

/** The reason why an engine did not start or failed, as it is sent between threads. */
export type ThreadFailure = { readonly message: string; readonly fault: JournalFaultKind | undefined }

/** Engine to gateway; outputs are an `ArrayBuffer`. */
export type FromEngine =
  | ArrayBuffer
  | { readonly kind: 'progress'; readonly progress: RecoveryProgress }
  /** Trust in the clock was lost or regained; also sent once before `ready`. */
  | { readonly kind: 'clock'; readonly reading: ClockReading }
  | { readonly kind: 'ready'; readonly report: RecoveryReport }
  /** The journal no longer changes. */
  | { readonly kind: 'settled' }
  | ({ readonly kind: 'stopped' } & StopReport)
  | { readonly kind: 'failed'; readonly failure: ThreadFailure }

/**
 * Commands with a deadline and commands with a charge have their own codes: most commands of operators have
 * neither.
 */
const REQUEST = { command: 1, query: 2, timedCommand: 3, chargedCommand: 4 } as const
const OUTPUT = { events: 1, reply: 2, answer: 3, fault: 4, passed: 5, commandEvents: 6 } as const

export function writeRequest(writer: ByteWriter, request: RequestNumber, outgoing: OutgoingRequest): void {
  if (outgoing.kind === 'query') {
    writer.u8(REQUEST.query)
    writer.uint(request)
    writeQuery(writer, outgoing.query)
    return
  }
  const { command, deadline, charge } = outgoing
  if (charge !== undefined) {
    writer.u8(REQUEST.chargedCommand)
    writer.uint(request)
    writer.bool(deadline !== undefined)
    if (deadline !== undefined) writer.uint(deadline)
    writeCharge(writer, charge)
    writeFrame(writer, command)
    return
  }
  writer.u8(deadline === undefined ? REQUEST.command : REQUEST.timedCommand)
  writer.uint(request)
  if (deadline !== undefined) writer.uint(deadline)
  writeFrame(writer, command)
}

function writeCharge(writer: ByteWriter, { ticket, accountId, orders, at }: OrderCharge): void {
  writer.uint(ticket)
  writer.uint(accountId)
  writer.uint(orders)
  writer.uint(at)
}

function readCharge(reader: ByteReader): OrderCharge {
  const ticket = reader.uint()
  const accountId = reader.uint() as AccountId
  return { ticket, accountId, orders: reader.uint(), at: timeMs(reader.uint()) }
}

export type DecodedRequests = {
  readonly requests: readonly EngineRequest[]
  /** Commands that the encoder wrote but the decoder cannot read: a bug, which must not stop a node. */
  readonly unreadable: readonly RequestNumber[]
}

export function readRequests(block: ArrayBuffer): DecodedRequests {
  const reader = new ByteReader(new Uint8Array(block))
  const requests: EngineRequest[] = []
  const unreadable: RequestNumber[] = []
  while (!reader.atEnd) {
    const code = reader.u8()
    const request = reader.uint()
    if (code === REQUEST.query) {
      requests.push({ kind: 'query', request, query: readQuery(reader) })
      continue
    }
    if (code !== REQUEST.command && code !== REQUEST.timedCommand && code !== REQUEST.chargedCommand) {
      throw new BytesFault(`unknown request code ${code}`)
    }
    const isCharged = code === REQUEST.chargedCommand
    const isTimed = isCharged ? reader.bool() : code === REQUEST.timedCommand
    const deadline = isTimed ? timeMs(reader.uint()) : undefined
    const charge = isCharged ? { charge: readCharge(reader) } : undefined
    const frame = readFrame(reader)
    try {
      requests.push({ kind: 'command', request, command: decodeFrame(frame), frame, deadline, ...charge })
    } catch (cause) {
      if (!(cause instanceof BytesFault)) throw cause
      unreadable.push(request)
    }
  }
  return { requests, unreadable }
}

/** With `isFollowed` false there is no follower, so only the answers are written. */
export function writeOutput(writer: ByteWriter, output: EngineOutput, isFollowed: boolean): void {
  if (output.events !== undefined && isFollowed) writeEvents(writer, output.events)
  for (const answer of output.answers) writeAnswer(writer, answer)
  if (output.passed !== undefined && isFollowed) {
    writer.u8(OUTPUT.passed)
    writer.uint(output.passed)
  }
}

function writeEvents(writer: ByteWriter, { events, ends, seq, time }: EventBatch): void {
  writer.u8(ends === undefined ? OUTPUT.events : OUTPUT.commandEvents)
  writer.uint(seq)
  writer.uint(time)
  if (ends !== undefined) {
    writer.uint(ends.length)
    let before = 0
    for (const end of ends) {
      writer.uint(end - before)
      before = end
    }
  }
  writer.uint(events.length)
  for (const event of events) writeEvent(writer, event)
}

export function readOutput(block: ArrayBuffer): EngineOutput {
  for (const output of readOutputInSlices(block, Number.POSITIVE_INFINITY))
    if (output !== undefined) return output
  throw new BytesFault('a block has no output')
}

/** Reads in slices: yields undefined after every `sliceEvents` events, and the output at the end. */
export function* readOutputInSlices(
  block: ArrayBuffer,
  sliceEvents: number,
): Generator<EngineOutput | undefined> {
  const reader = new ByteReader(new Uint8Array(block))
  const answers: EngineAnswer[] = []
  let events: EventBatch | undefined
  let passed: TimeMs | undefined
  while (!reader.atEnd) {
    const code = reader.u8()
    if (code === OUTPUT.events || code === OUTPUT.commandEvents)
      events = yield* readEvents(reader, code === OUTPUT.commandEvents, sliceEvents)
    else if (code === OUTPUT.passed) passed = timeMs(reader.uint())
    else answers.push(readAnswer(reader, code))
  }
  yield passed === undefined ? { events, answers } : { events, answers, passed }
}

function* readEvents(
  reader: ByteReader,
  hasEnds: boolean,
  sliceEvents: number,
): Generator<undefined, EventBatch> {
  const head = { seq: seq(reader.uint()), time: timeMs(reader.uint()) }
  const ends = hasEnds ? readEnds(reader) : undefined
  const events: ExchangeEvent[] = []
  for (let left = reader.uint(); left > 0; left--) {
    events.push(readEvent(reader))
    if (events.length % sliceEvents === 0) yield
  }
  if (ends === undefined) return { ...head, events }
  if ((ends.at(-1) ?? 0) !== events.length)
    throw new BytesFault('the events of a batch are not those of its commands')
  return { ...head, events, ends }
}

function readEnds(reader: ByteReader): number[] {
  const ends: number[] = []
  let end = 0
  for (let left = reader.uint(); left > 0; left--) {
    end += reader.uint()
    ends.push(end)
  }
  return ends
}

function writeAnswer(writer: ByteWriter, answer: EngineAnswer): void {
  writer.u8(OUTPUT[answer.kind])
  writer.uint(answer.request)
  switch (answer.kind) {
    case 'reply':
      writeReply(writer, answer.reply)
      break
    case 'answer':
      writeQueryAnswer(writer, answer.answer)
      break
    case 'fault':
      writer.u8(ENGINE_FAULT_KINDS.indexOf(answer.fault))
      break
  }
}

function readAnswer(reader: ByteReader, code: number): EngineAnswer {
  const request = reader.uint()
  switch (code) {
    case OUTPUT.reply:
      return { kind: 'reply', request, reply: readReply(reader) }
    case OUTPUT.answer:
      return { kind: 'answer', request, answer: readQueryAnswer(reader) }
    case OUTPUT.fault: {
      const fault: EngineFaultKind | undefined = ENGINE_FAULT_KINDS[reader.u8()]
      if (fault === undefined) throw new BytesFault(`unknown fault before byte ${reader.at}`)
      return { kind: 'fault', request, fault }
    }
    default:
      throw new BytesFault(`unknown output code ${code}`)
  }
}
