/** What the operator's commands on API keys do. The registry decides; here its answer becomes a reply and an event. */
import type { CoreReason } from '../../../units/reasons.ts'
import type { ApiKey } from '../../registry/records.ts'
import type { CommandOf } from '../command.ts'
import type { KeyCommand } from '../commands/keys.ts'
import type { EventSink } from '../event.ts'
import { DONE, type Reply, refused } from '../reply.ts'
import type { ExchangeState } from '../state.ts'
import { isReason, type Operations } from './operations.ts'

export const KEY_OPERATIONS: Operations<KeyCommand['kind']> = {
  CreateApiKey: (state, command, emit) =>
    apiKeyChanged(state.registry.addApiKey({ ...command, createdAt: state.time }), emit),
  SetApiKeyEnabled: ({ registry }, { apiKey, enabled }, emit) =>
    apiKeyChanged(registry.setApiKeyEnabled(apiKey, enabled), emit),
  SetApiKeyTerms: ({ registry }, command, emit) =>
    apiKeyChanged(registry.amendApiKey(command.apiKey, command), emit),
  SetApiKeyStrict: ({ registry }, { apiKey, strictSignature }, emit) =>
    apiKeyChanged(registry.setApiKeyStrict(apiKey, strictSignature), emit),
  RotateApiKey: ({ registry }, { apiKey, sealedSecret, previousUntil }, emit) =>
    apiKeyChanged(registry.rotateApiKey(apiKey, sealedSecret, previousUntil), emit),
  RevokeApiKey: ({ registry }, { apiKey }, emit) => apiKeyChanged(registry.revokeApiKey(apiKey), emit),
  ResealSecret: resealSecret,
}

function resealSecret(
  { registry }: ExchangeState,
  { apiKey, from, to }: CommandOf<'ResealSecret'>,
  emit: EventSink,
): Reply {
  const resealed = registry.resealSecret(apiKey, from, to)
  return resealed === undefined ? DONE : apiKeyChanged(resealed, emit)
}

function apiKeyChanged(apiKey: ApiKey | CoreReason, emit: EventSink): Reply {
  if (isReason(apiKey)) return refused(apiKey)
  emit({ kind: 'ApiKeyChanged', apiKey })
  return DONE
}
