/**
 * Commands of operators on API keys. The registry decides; this module turns its decision into a reply and an
 * event.
 */
import type { TimeMs } from '../../units/quantities.ts'
import type { CoreReason } from '../../units/reasons.ts'
import type { CommandOf } from '../commands/command.ts'
import type { KeyCommand } from '../commands/keys.ts'
import type { EventSink } from '../events/event.ts'
import { ENDED_KEY_RULES, KEY_RULES } from '../exchange/rules.ts'
import type { ExchangeState } from '../exchange/state.ts'
import { DONE, type Reply, refused } from '../questions/reply.ts'
import { type ApiKey, NO_SECRET } from '../registry/records.ts'
import type { KeyCounting } from '../registry/registry.ts'
import type { ApiKeyTerms } from '../registry/terms.ts'
import { isReason, type Operations } from './operations.ts'

export const KEY_OPERATIONS: Operations<KeyCommand['kind']> = {
  CreateApiKey: (state, command, emit) => addApiKey(state, { ...command, createdAt: state.time }, emit),
  AddApiKey: (state, command, emit) => addApiKey(state, termsOfNewKey(command, state.time), emit),
  SetApiKeyEnabled: ({ registry }, { apiKey, enabled }, emit) =>
    apiKeyChanged(registry.setApiKeyEnabled(apiKey, enabled), emit),
  SetApiKeyTerms: (state, command, emit) => {
    const { registry, time } = state
    return apiKeyChanged(registry.amendApiKey(command.apiKey, command, time, countingOf(state)), emit)
  },
  SetApiKeyStrict: ({ registry }, { apiKey, strictSignature }, emit) =>
    apiKeyChanged(registry.setApiKeyStrict(apiKey, strictSignature), emit),
  RotateApiKey: ({ registry }, { apiKey, sealedSecret, previousUntil }, emit) =>
    apiKeyChanged(registry.rotateApiKey(apiKey, sealedSecret, previousUntil), emit),
  RevokeApiKey: (state, { apiKey }, emit) => {
    const at = state.rulesVersion < ENDED_KEY_RULES ? undefined : state.time
    return apiKeyChanged(state.registry.revokeApiKey(apiKey, at), emit)
  },
  ResealSecret: resealSecret,
}

function countingOf({ rulesVersion }: ExchangeState): KeyCounting {
  if (rulesVersion < KEY_RULES) return 'ALL'
  return rulesVersion < ENDED_KEY_RULES ? 'NOT_REVOKED' : 'LIVE'
}

function addApiKey(state: ExchangeState, terms: ApiKeyTerms, emit: EventSink): Reply {
  const added = state.registry.addApiKey(terms, countingOf(state), ({ accountId, apiKey }) =>
    emit({ kind: 'ApiKeyRemoved', accountId, apiKey }),
  )
  return apiKeyChanged(added, emit)
}

function termsOfNewKey(
  { keyKind, material, ...terms }: CommandOf<'AddApiKey'>,
  createdAt: TimeMs,
): ApiKeyTerms {
  return keyKind === 'HMAC'
    ? { ...terms, createdAt, sealedSecret: material }
    : { ...terms, createdAt, sealedSecret: NO_SECRET, publicKey: material }
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
