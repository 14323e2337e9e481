/** Random sessions: opened, resumed, disconnected, and used by orders; and the keys of orders. */
import type { PlaceOrder } from '../../src/core/commands/orders.ts'
import type { DisconnectSession, OpenSession } from '../../src/core/commands/sessions.ts'
import type { AccountId, KeyNumber, SessionNumber } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { KEY_NUMBER_RULES } from '../checkers/shadow-refusals.ts'
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

/** The key that places an order, mostly if the rules support keys; its number is not checked. */
export function drawKeyNumber(random: Random, { rulesVersion }: ShadowState): KeyNumber | undefined {
  const isSigned = random.chance(rulesVersion >= KEY_NUMBER_RULES ? 0.7 : 0.01)
  return isSigned ? (random.between(1, 200) as KeyNumber) : undefined
}

/** The same order; if its account has sessions, often in one of them. */
export function inSession(random: Random, state: ShadowState, order: PlaceOrder): PlaceOrder {
  const own = [...state.sessions.values()].filter(({ account }) => account === order.accountId)
  if (own.length === 0 || random.chance(0.4)) return order
  return { ...order, sessionNumber: random.pick(own).number as SessionNumber }
}

function drawSession(random: Random, { sessions }: ShadowState): ShadowSession | undefined {
  return sessions.size === 0 ? undefined : random.pick([...sessions.values()])
}
