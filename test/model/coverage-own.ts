/**
 * Coverage of the engine's own commands in random runs, carried out or quarantined: each with each answer.
 */

export const OWN_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  TriggerOrder: ['NEW', 'PARTIALLY_FILLED', 'FILLED', 'CANCELED', 'UNKNOWN_ORDER'],
  ExpireOrder: ['done', 'UNKNOWN_ORDER'],
  ContinueCancelAll: ['done', 'UNKNOWN_ORDER'],
  FireCountdown: ['done', 'UNKNOWN_ORDER'],
  DisconnectSessions: ['done'],
  EndSession: ['done', 'UNKNOWN_SESSION'],
  'refuse TriggerOrder': ['INTERNAL_ERROR'],
  'refuse ExpireOrder': ['INTERNAL_ERROR'],
  'refuse ContinueCancelAll': ['INTERNAL_ERROR'],
  'refuse FireCountdown': ['INTERNAL_ERROR'],
  'refuse PlacePending': ['INTERNAL_ERROR'],
  'refuse EndSession': ['INTERNAL_ERROR'],
  'refuse DisconnectSessions': ['INTERNAL_ERROR'],
  BeginEpoch: ['done', 'RULES_VERSION_TOO_LOW'],
  EnterPhase: ['done', 'INVALID_COMMAND'],
  'refuse EnterPhase': ['INTERNAL_ERROR'],
}
