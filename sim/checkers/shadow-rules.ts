/**
 * What the second bookkeeper's rules about operators' commands have in common.
 */
import type { Command } from '../../src/core/exchange/command.ts'
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import { type Applied, demand, type ShadowState, type ShadowSymbol } from './shadow-state.ts'

export type Of<Kind extends Command['kind']> = Extract<Command, { readonly kind: Kind }>

/** Notes a reason for which a command is to be refused, when its condition holds. */
export type No = (condition: boolean, reason: string) => void

export const AMOUNT_LIMIT = 2n ** 127n - 1n
export const RATE_LIMIT = 100_000_000
const TEXT_LIMIT = 200
/** From these rules on a buyer's total is spent in whole units of the ledger. */
export const WHOLE_BUDGET_RULES = 3
export const NEWEST_RULES = 3

/** Whether a command was accepted; it must be exactly when no reason against it holds, and be refused with one that does. */
export function isAccepted({ command, reply }: Applied, addRefusals: (no: No) => void): boolean {
  const justified = new Set<string>()
  addRefusals((condition, reason) => {
    if (condition) justified.add(reason)
  })
  if (reply.kind === 'Refused') {
    demand(justified.has(reply.reason), () => `${command?.kind} is not to be refused with ${reply.reason}`)
    return false
  }
  demand(justified.size === 0, () => `${command?.kind} is to be refused: ${[...justified].join(', ')}`)
  return true
}

export function expectKinds(events: readonly ExchangeEvent[], kinds: readonly ExchangeEvent['kind'][]): void {
  const found = events.map(({ kind }) => kind)
  demand(found.join() === kinds.join(), () => `expected the events [${kinds}], found [${found}]`)
}

export function hasSymbol(state: ShadowState, name: string): boolean {
  return state.symbols.some((symbol) => symbol.name === name)
}

export function symbolOf(state: ShadowState, name: string): ShadowSymbol {
  const symbol = state.symbols.find((each) => each.name === name)
  demand(symbol !== undefined, () => `symbol ${name} exists`)
  return symbol
}

export function isText(text: string, least: number): boolean {
  return text.length >= least && text.length <= TEXT_LIMIT && text.isWellFormed()
}

export function isAmount(units: bigint): boolean {
  return units >= 0n && units <= AMOUNT_LIMIT
}
