/**
 * Coverage of the engine's own commands in random runs, carried out or quarantined: each with each answer.
 */

const NEW_TYPES = 'RULES_VERSION_TOO_LOW'

export const OWN_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  TriggerOrder: ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'UNKNOWN_ORDER', NEW_TYPES],
  ExpireOrder: ['done', 'UNKNOWN_ORDER', NEW_TYPES],
  ContinueCancelAll: ['done', 'UNKNOWN_ORDER', NEW_TYPES],
  FireCountdown: ['done', 'UNKNOWN_ORDER', NEW_TYPES],
  DisconnectSessions: ['done', NEW_TYPES],
  EndSession: ['done', 'UNKNOWN_SESSION', NEW_TYPES],
  'refuse TriggerOrder': ['INTERNAL_ERROR'],
  'refuse ExpireOrder': ['INTERNAL_ERROR'],
  'refuse ContinueCancelAll': ['INTERNAL_ERROR'],
  'refuse FireCountdown': ['INTERNAL_ERROR'],
  'refuse PlacePending': ['INTERNAL_ERROR'],
  'refuse EndSession': ['INTERNAL_ERROR'],
  'refuse DisconnectSessions': ['INTERNAL_ERROR'],
  BeginEpoch: ['done', NEW_TYPES],
  EnterPhase: ['done', 'INVALID_COMMAND', NEW_TYPES],
  'refuse EnterPhase': ['INTERNAL_ERROR'],
}
