/**
 * Operators' commands about accounts, keys, tokens, tiers and bans: the oracle carries each out on the second bookkeeper's
 * records, and what the exchange has answered and caused must equal it (test/oracle).
 */
import type { ExchangeEvent } from '../../src/core/exchange/event.ts'
import type { AdministeredCommand } from '../../test/oracle/administered.ts'
import { administer } from '../../test/oracle/administration.ts'
import { type Applied, demand, type ShadowState } from './shadow-state.ts'

export function checkRecords(
  state: ShadowState,
  { reply, events }: Applied,
  command: AdministeredCommand,
): void {
  const expected: ExchangeEvent[] = []
  const answer = administer(state, command, (event) => expected.push(event))
  demand(
    Bun.deepEquals(reply, answer),
    () => `${command.kind} is to be answered with ${shown(answer)}, found ${shown(reply)}`,
  )
  demand(
    Bun.deepEquals(events, expected),
    () => `${command.kind} is to cause ${shown(expected)}, found ${shown(events)}`,
  )
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
}
