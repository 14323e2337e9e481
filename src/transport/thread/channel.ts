/**
 * Channels between threads, and queries over them as plain values, for queries that are too rare to need an
 * encoding of their own. The queries of a channel are a type. The sending side is a client with the same
 * limits and faults as every other client (engine/port/request-client.ts); the answering side has one
 * function for each kind.
 */
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import { JournalFault, type JournalFaultKind } from '../../engine/port/journal.ts'
import {
  RequestClient,
  type RequestClientOptions,
  type RequestNumber,
} from '../../engine/port/request-client.ts'

/** One end of a message channel: a worker seen by its parent, or the parent seen by a worker. */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  /** A message port queues messages until it is started; workers start by themselves. */
  start?(): void
}

/**
 * Calls `listener` with every message. The other end is part of this program, so messages have the declared
 * type.
 */
export function listen<Message>(channel: Channel, listener: (message: Message) => void): void {
  channel.addEventListener('message', ({ data }) => listener(data as Message))
  channel.start?.()
}

/** The queries of a channel: for each kind the fields of the query and the value of the answer. */
export type Questions = Readonly<Record<string, { readonly fields: unknown; readonly value: unknown }>>

type Question<Asked extends Questions> = {
  [Kind in keyof Asked]: { readonly kind: Kind; readonly fields: Asked[Kind]['fields'] }
}[keyof Asked]

type QuestionMessage = { readonly number: RequestNumber; readonly kind: string; readonly fields: unknown }

/** A fault as it is sent; errors lose their type and fields between threads. */
type FaultMessage = { readonly message: string } & (
  | { readonly name: 'EngineFault'; readonly kind: EngineFaultKind }
  | { readonly name: 'JournalFault'; readonly kind: JournalFaultKind }
)

/** An answer as it is sent. */
export type AnswerMessage =
  | { readonly number: RequestNumber; readonly kind: string; readonly value: unknown }
  | { readonly number: RequestNumber; readonly fault: FaultMessage }

type Values<Asked extends Questions> = { readonly [Kind in keyof Asked]: Asked[Kind]['value'] }

/** The sending end of a channel; the other end is `answerQuestions`. */
export class QuestionClient<Asked extends Questions> {
  readonly #requests: RequestClient<Question<Asked>, Values<Asked>>

  constructor(
    channel: Channel,
    options: Omit<RequestClientOptions<Question<Asked>, Values<Asked>>, 'send' | 'closed'>,
  ) {
    this.#requests = new RequestClient({
      ...options,
      send: (number, question) => channel.postMessage({ number, ...question }),
    })
    listen<AnswerMessage>(channel, (message) => {
      if ('fault' in message) this.#requests.refuse(message.number, receivedFault(message.fault))
      else this.#requests.answer(message.number, message.kind, message.value as Asked[string]['value'])
    })
  }

  /** Number of unanswered queries. */
  get inFlight(): number {
    return this.#requests.inFlight
  }

  ask<Kind extends keyof Asked & string>(
    kind: Kind,
    fields: Asked[Kind]['fields'],
  ): Promise<Asked[Kind]['value']> {
    return this.#requests.ask(kind, { kind, fields })
  }

  /** See `RequestClient.close`. */
  close(fault: EngineFaultKind): void {
    this.#requests.close(fault)
  }
}

/** Answers all queries from the other end, each when its answer is ready. */
export function answerQuestions<Asked extends Questions>(
  channel: Channel,
  answers: {
    readonly [Kind in keyof Asked]: (fields: Asked[Kind]['fields']) => Promise<Asked[Kind]['value']>
  },
): void {
  listen<QuestionMessage>(channel, ({ number, kind, fields }) => {
    const answer = Object.hasOwn(answers, kind) ? answers[kind] : unknownQuestion(kind)
    answer?.(fields).then(
      (value): void => channel.postMessage({ number, kind, value } satisfies AnswerMessage),
      (error: unknown) => channel.postMessage({ number, fault: sentFault(error) } satisfies AnswerMessage),
    )
  })
}

function unknownQuestion(kind: string): () => Promise<never> {
  return () => Promise.reject(new Error(`unknown question ${kind}`))
}

/**
 * An error that is neither a refusal nor a fault of the storage is a bug of the other side, which is then
 * down.
 */
function sentFault(error: unknown): FaultMessage {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof EngineFault) return { name: 'EngineFault', kind: error.kind, message }
  if (error instanceof JournalFault) return { name: 'JournalFault', kind: error.kind, message }
  return { name: 'EngineFault', kind: 'ENGINE_DOWN', message }
}

function receivedFault(fault: FaultMessage): EngineFault | JournalFault {
  return fault.name === 'JournalFault'
    ? new JournalFault(fault.kind, fault.message)
    : new EngineFault(fault.kind, fault.message)
}
