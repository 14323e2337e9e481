/** Random sessions: opened, gone on with, disconnected, and named by orders. */
import type { PlaceOrder } from '../../src/core/exchange/commands/orders.ts'
import type { DisconnectSession, OpenSession } from '../../src/core/exchange/commands/sessions.ts'
import type { AccountId, SessionNumber } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import type { ShadowSession, ShadowState } from '../checkers/shadow-state.ts'
import type { Random } from '../world/random.ts'

export function drawOpenSession(random: Random, state: ShadowState, isHostile: boolean): OpenSession {
  const known = random.chance(0.4) ? drawSession(random, state) : undefined
  const key = state.apiKeys.length === 0 ? undefined : random.pick(state.apiKeys)
  const accountId = (known?.account ?? key?.accountId ?? 0) as AccountId
  const apiKey = isHostile ? 'none' : (known?.apiKey ?? key?.apiKey ?? 'none')
  const graceMs = isHostile && random.chance(0.3) ? 60_001 : random.pick([0, random.between(1, 900)])
  const resumes = known && {
    sessionNumber: known.number as SessionNumber,
    sessionTime: (known.openedAt + (isHostile || random.chance(0.08) ? 1 : 0)) as TimeMs,
  }
  return { kind: 'OpenSession', accountId, apiKey, graceMs, resumes }
}

export function drawDisconnect(random: Random, state: ShadowState, isHostile: boolean): DisconnectSession {
  const known = drawSession(random, state)
  const attachment = (known?.attachment ?? 1) + (isHostile ? 1 : 0)
  return { kind: 'DisconnectSession', sessionNumber: (known?.number ?? 0) as SessionNumber, attachment }
}

/** The same order, of an account with sessions often in one of them. */
export function inSession(random: Random, state: ShadowState, order: PlaceOrder): PlaceOrder {
  const own = [...state.sessions.values()].filter(({ account }) => account === order.accountId)
  if (own.length === 0 || random.chance(0.4)) return order
  return { ...order, sessionNumber: random.pick(own).number as SessionNumber }
}

function drawSession(random: Random, { sessions }: ShadowState): ShadowSession | undefined {
  return sessions.size === 0 ? undefined : random.pick([...sessions.values()])
}
