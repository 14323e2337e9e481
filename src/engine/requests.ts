/**
 * What waits in the engine's inbox and what comes out: plain values, so that any driver can carry them. Requests
 * are numbered by whoever sends them, and answers name that number.
 */
import type { Command } from '../core/exchange/command.ts'
import type { Reply } from '../core/exchange/reply.ts'
import type { Balance, Bootstrap, OpenOrdersPage, OpenOrdersQuery } from '../core/exchange/view.ts'
import type { AccountId } from '../units/ids.ts'
import type { EngineFaultKind, EventBatch } from './ports.ts'

/** Chosen by the sender, unique among its requests in flight. */
export type RequestNumber = number

export type CommandRequest = {
  readonly kind: 'command'
  readonly request: RequestNumber
  readonly command: Command
  /** The same command as the journal will keep it (frames.ts). */
  readonly frame: Uint8Array
}

export type OpenOrdersRequest = {
  readonly kind: 'openOrders'
  readonly request: RequestNumber
  readonly query: OpenOrdersQuery
}

export type BalancesRequest = {
  readonly kind: 'balances'
  readonly request: RequestNumber
  readonly accountId: AccountId
}

export type BootstrapRequest = { readonly kind: 'bootstrap'; readonly request: RequestNumber }

export type EngineRequest = CommandRequest | OpenOrdersRequest | BalancesRequest | BootstrapRequest

export type EngineAnswer =
  | { readonly kind: 'reply'; readonly request: RequestNumber; readonly reply: Reply }
  | { readonly kind: 'openOrders'; readonly request: RequestNumber; readonly page: OpenOrdersPage }
  | { readonly kind: 'balances'; readonly request: RequestNumber; readonly balances: readonly Balance[] }
  | { readonly kind: 'bootstrap'; readonly request: RequestNumber; readonly bootstrap: Bootstrap }
  | { readonly kind: 'fault'; readonly request: RequestNumber; readonly fault: EngineFaultKind }

/** What one flush gives out, in one piece: first what happened, then who is answered. */
export type EngineOutput = {
  /** Undefined when the flush made no command durable. */
  readonly events: EventBatch | undefined
  readonly answers: readonly EngineAnswer[]
}
