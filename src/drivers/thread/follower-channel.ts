/**
 * How the follower's thread talks to the others: messages as plain values, and a fault as a message.
 */
import { EngineFault, type EngineFaultKind } from '../../engine/ports.ts'

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

/** A fault on its way; errors lose their type and fields between threads. */
export type FaultMessage = { readonly kind: EngineFaultKind; readonly message: string }

/** What is not an `EngineFault` is one of the other side's own: it is down. */
export function faultMessage(error: unknown): FaultMessage {
  if (error instanceof EngineFault) return { kind: error.kind, message: error.message }
  return { kind: 'ENGINE_DOWN', message: error instanceof Error ? error.message : String(error) }
}

export function faultOf({ kind, message }: FaultMessage): EngineFault {
  return new EngineFault(kind, message)
}
