/**
 * Questions and answers that travel over a link as plain values: to a history, and from a replica. The type
 * that both ends of the link share lists the questions. Undefined fields are written to the bytes too, and
 * are kept as `{"$undefined":true}`.
 */
import * as fc from 'fast-check'
import { ENGINE_FAULT_KINDS } from '../../../src/engine/port/fault.ts'
import type { JournalFaultKind } from '../../../src/engine/port/journal.ts'
import { readFrame, writeQuestionFrame } from '../../../src/transport/link/protocol/frames.ts'
import type { AnswerMessage, Questions } from '../../../src/transport/thread/channel.ts'
import { ABSENT } from '../canonical.ts'

/** By question: a new one does not compile until it is here. */
export type ByQuestion<Asked extends Questions> = {
  readonly [Kind in keyof Asked]: {
    readonly fields: fc.Arbitrary<Asked[Kind]['fields']>
    readonly value: fc.Arbitrary<Asked[Kind]['value']>
  }
}

/** A question or an answer as it is sent, with its undefined fields marked. */
export type Asked = { readonly kind: string; readonly message: unknown }

const JOURNAL_FAULTS: Readonly<Record<JournalFaultKind, true>> = {
  STORAGE_FULL: true,
  NO_DESCRIPTORS: true,
  FAILED: true,
  DAMAGED: true,
  WITNESS: true,
  IN_USE: true,
  UNSUPPORTED: true,
  SEALED: true,
}

const number = fc.nat(2 ** 32)

export function askedByKind<Of extends Questions>(
  arbitraries: ByQuestion<Of>,
): Record<string, fc.Arbitrary<Asked>> {
  return Object.fromEntries(
    Object.entries(arbitraries).flatMap(([kind, { fields, value }]) => [
      [
        `${kind} question`,
        fc.record({ number, fields }).map((each) => asked(`${kind} question`, { ...each, kind })),
      ],
      [
        `${kind} answer`,
        fc.record({ number, value }).map((each) => asked(`${kind} answer`, { ...each, kind })),
      ],
    ]),
  )
}

/** Answers with a fault: one for each fault that can travel over a link. */
export const FAULT_ANSWERS: readonly Asked[] = [
  ...ENGINE_FAULT_KINDS.map((kind) => ({ name: 'EngineFault' as const, kind })),
  ...(Object.keys(JOURNAL_FAULTS) as JournalFaultKind[]).map((kind) => ({
    name: 'JournalFault' as const,
    kind,
  })),
].map((fault) => {
  const message: AnswerMessage = { number: 7, fault: { ...fault, message: 'why' } }
  return asked('fault', message)
})

function asked(kind: string, message: unknown): Asked {
  return { kind, message: marked(message) }
}

/** The kind belongs to the corpus, and is in no byte. */
export function writeAsked({ message }: Asked): Uint8Array {
  return writeQuestionFrame(unmarked(message))
}

export function readAsked(bytes: Uint8Array): Asked {
  const frame = readFrame(bytes)
  if (frame.kind !== 'question') throw new Error(`expected a request, found a frame of kind ${frame.kind}`)
  return asked(kindOf(frame.message), frame.message)
}

function kindOf(message: object): string {
  if ('fault' in message) return 'fault'
  const kind = 'kind' in message ? String(message.kind) : ''
  return `${kind} ${'fields' in message ? 'question' : 'answer'}`
}

function marked(value: unknown): unknown {
  if (value === undefined) return ABSENT
  return mapped(value, marked)
}

function unmarked(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && '$undefined' in value) return undefined
  return mapped(value, unmarked)
}

function mapped(value: unknown, map: (value: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(map)
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, map(field)]))
}
