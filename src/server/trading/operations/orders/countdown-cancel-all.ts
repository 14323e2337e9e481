/** Setting the countdown at whose end open orders are canceled (docs/reference/timers.md#countdown). */

import { countdownBody } from '../../../../contract/api/mass-cancel.ts'
import type { SetCountdown } from '../../../../core/commands/timers.ts'
import { invariant } from '../../../../units/invariant.ts'
import { COUNTDOWN_MAX_MS } from '../../../../units/limits.ts'
import { readRequired, readWholeNumber, readWord } from '../../../common/read.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Call, Outcome } from '../../call.ts'
import { operationOf, readSymbol } from '../../operation.ts'

const BOOLEANS = ['true', 'false'] as const

export const countdownCancelAll = operationOf('countdown', countdownAnswer)

function countdownAnswer(call: Call): Outcome {
  const { parameters, accountId, language } = call
  const given = readRequired(parameters, 'countdownTime')
  if (given instanceof Refusal) return given
  const countdownMs = readWholeNumber(parameters, 'countdownTime', {
    min: 0,
    max: COUNTDOWN_MAX_MS,
    fallback: 0,
  })
  if (countdownMs instanceof Refusal) return countdownMs
  const symbol = readSymbol(call)
  if (symbol instanceof Refusal) return symbol
  const keepStops = readWord(parameters, 'keepStops', BOOLEANS)
  if (keepStops instanceof Refusal) return keepStops
  const scope = { accountId, symbolId: symbol?.id }
  const command: SetCountdown = {
    kind: 'SetCountdown',
    ...scope,
    countdownMs,
    keepsStops: keepStops === 'true',
  }
  return call.handOver(command, (reply, body) => {
    invariant(reply.kind === 'CountdownSet', () => `expected CountdownSet, found ${reply.kind}`)
    const { triggerAt } = reply
    body.text(countdownBody({ symbol: symbol?.name, countdownTime: countdownMs, triggerAt }, language))
  })
}
