/** How long whoever is refused for the phase of the exchange has to wait, where an operator has planned it. */
import { type Command, isPlacement } from '../../core/exchange/command.ts'
import type { ExchangePhases } from '../../core/registry/records.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'

/** Whole seconds, at least 1, until the exchange takes such a command as planned; undefined: another reason, or nothing is planned. */
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
