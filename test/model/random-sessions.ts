/** Random sessions: opened, resumed, disconnected, and used by orders; and the keys of orders. */
import type { Command } from '../../src/core/commands/command.ts'
import type { OpenSession, SessionCommand } from '../../src/core/commands/sessions.ts'
import type { AccountId, KeyNumber, SessionNumber } from '../../src/units/ids.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { randomOwner } from './random-orders.ts'
import type { RandomSource } from './random-source.ts'
import type { ReferenceState } from './reference-state.ts'

export function randomSession(random: RandomSource, state: ReferenceState): SessionCommand {
  const { sessions } = state
  if (random.once(sessions.length > 0 ? 2 : 8)) {
    const session = sessions.length === 0 ? undefined : random.pick(sessions)
    const attachment = (session?.attachment ?? 1) + (random.once(4) ? 1 : 0)
    return { kind: 'DisconnectSession', sessionNumber: session?.number ?? (1 as SessionNumber), attachment }
  }
  const resumed = sessions.length > 0 && random.once(2) ? random.pick(sessions) : undefined
  const keys = state.apiKeys
  const key = keys.length === 0 || random.once(12) ? undefined : random.pick(keys)
  const accountId = random.once(12)
    ? (random.between(0, 9) as AccountId)
    : ((resumed ?? key)?.accountId ?? randomOwner(random, state))
  const apiKey = random.once(12) ? 'none' : ((resumed ?? key)?.apiKey ?? 'none')
  const graceMs = random.once(20) ? 60_001 : random.once(4) ? 0 : random.between(1, 30)
  return { kind: 'OpenSession', accountId, apiKey, graceMs, resumes: nameOf(random, resumed) }
}

function nameOf(
  random: RandomSource,
  session: ReferenceState['sessions'][number] | undefined,
): OpenSession['resumes'] {
  if (session === undefined) return undefined
  const { number: sessionNumber, time } = session
  return { sessionNumber, sessionTime: (random.once(10) ? time + 1 : time) as TimeMs }
}

export function randomSessionNumber(
  random: RandomSource,
  { sessions, orderCount }: ReferenceState,
): SessionNumber {
  if (sessions.length > 0 && !random.once(3)) return random.pick(sessions).number
  return random.between(0, orderCount + 1) as SessionNumber
}

/** The same command, mostly with a key if the rules support keys, and in a session of its account. */
export function placedBy<Of extends Command>(random: RandomSource, state: ReferenceState, command: Of): Of {
  return inSession(random, state, byKey(random, state, command))
}

function byKey<Of extends Command>(random: RandomSource, state: ReferenceState, command: Of): Of {
  if (command.kind === 'ReplaceOrder') return { ...command, order: byKey(random, state, command.order) }
  if (command.kind !== 'PlaceOrder' && command.kind !== 'PlaceList') return command
  const isSigned = state.rulesVersion >= 19 ? !random.once(4) : random.once(20)
  return isSigned ? { ...command, keyNumber: random.between(1, 200) as KeyNumber } : command
}

/** The same command; if its account has sessions, mostly in one of them. */
function inSession<Of extends Command>(random: RandomSource, state: ReferenceState, command: Of): Of {
  if (command.kind === 'ReplaceOrder') return { ...command, order: inSession(random, state, command.order) }
  if (command.kind !== 'PlaceOrder' && command.kind !== 'PlaceList') return command
  if (random.once(150)) return { ...command, sessionNumber: randomSessionNumber(random, state) }
  const own = state.sessions.filter(({ accountId }) => accountId === command.accountId)
  const isRare = command.kind === 'PlaceList' && command.legs.some(({ type }) => type === 'MARKET')
  return own.length === 0 || (!isRare && random.once(3))
    ? command
    : { ...command, sessionNumber: random.pick(own).number }
}
