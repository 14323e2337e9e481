/**
 * Channels between threads, and questions over them as plain values: for whatever is asked too seldom to be worth a form
 * of its own. What may be asked over a channel is a type; the asking side is a client with the bounds and faults of every
 * other (engine/port/request-client.ts), the answering side one function for each kind.
 */
import { EngineFault, type EngineFaultKind } from '../../engine/port/fault.ts'
import { JournalFault, type JournalFaultKind } from '../../engine/port/journal.ts'
import {
  RequestClient,
  type RequestClientOptions,
  type RequestNumber,
} from '../../engine/port/request-client.ts'

/** One end of a message channel, a worker as its parent sees it, or the parent as a worker sees it. */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  /** A message port holds messages back until it is started; workers start by themselves. */
  start?(): void
}

/** Calls `listener` with every message. The other end is our own code, so a message is what its type says. */
export function listen<Message>(channel: Channel, listener: (message: Message) => void): void {
  channel.addEventListener('message', ({ data }) => listener(data as Message))
  channel.start?.()
}

/** What may be asked over a channel: by kind, what the question says and what the answer is. */
export type Questions = Readonly<Record<string, { readonly fields: unknown; readonly value: unknown }>>

type Question<Asked extends Questions> = {
  [Kind in keyof Asked]: { readonly kind: Kind; readonly fields: Asked[Kind]['fields'] }
}[keyof Asked]

type QuestionMessage = { readonly number: RequestNumber; readonly kind: string; readonly fields: unknown }

/** A fault on its way; errors lose their type and fields between threads. */
type FaultMessage = { readonly message: string } & (
  | { readonly name: 'EngineFault'; readonly kind: EngineFaultKind }
  | { readonly name: 'JournalFault'; readonly kind: JournalFaultKind }
)

/** An answer on its way. */
export type AnswerMessage =
  | { readonly number: RequestNumber; readonly kind: string; readonly value: unknown }
  | { readonly number: RequestNumber; readonly fault: FaultMessage }

type Values<Asked extends Questions> = { readonly [Kind in keyof Asked]: Asked[Kind]['value'] }

/** The asking end of a channel; the other is `answerQuestions`. */
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

  /** Questions without an answer. */
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

/** Answers whatever is asked from the other end, each question when its answer is there. */
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

/** What is neither a refusal nor the storage's fault is a bug of the other side: it is down. */
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
