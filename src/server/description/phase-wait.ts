/**
 * How long a client refused because of the phase of the exchange must wait, if an operator has planned the
 * next phase.
 */
import { type Command, isPlacement } from '../../core/commands/command.ts'
import type { ExchangePhases } from '../../core/registry/records.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'

/**
 * Whole seconds, at least 1, until the exchange accepts such a command as planned; undefined if the reason is
 * another one, or nothing is planned.
 */
export function secondsUntilTaken(
  reason: CoreReason,
  command: Command,
  { planned }: ExchangePhases,
  now: TimeMs,
): number | undefined {
  if (reason !== 'EXCHANGE_CLOSED' && reason !== 'EXCHANGE_CANCEL_ONLY') return undefined
  const isTaken = isPlacement(command)
    ? planned.find(({ phase }) => phase === 'TRADING')
    : planned.find(({ phase }) => phase !== 'CLOSED')
  return isTaken && Math.max(1, Math.ceil((isTaken.at - now) / 1_000))
}
