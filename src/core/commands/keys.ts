/** Commands of operators on API keys. */
import type { AccountId } from '../../units/ids.ts'
import { KEY_KINDS, KEY_WIRES, PERMISSIONS } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import { byteString, flag, listOf, text, uint, word } from '../../units/shapes/shape.ts'
import { KEY_RULES } from '../exchange/rules.ts'
import { API_KEY_AMENDMENT } from '../registry/amendments.ts'
import { type CommandIn, operatorRows } from './row.ts'

/** The key sent by clients as `X-Apikey`; unique. */
const apiKey = text()

export const KEY_ROWS = operatorRows({
  CreateApiKey: {
    code: 12,
    fields: {
      accountId: uint<AccountId>(),
      apiKey,
      /** Sealed (encrypted) before it reaches the core, which never opens it. */
      sealedSecret: byteString(),
      permissions: listOf(word(PERMISSIONS)),
      /**
       * Addresses and CIDR ranges from which the key may be used; empty means from anywhere. Checked for form
       * at the border.
       */
      addresses: listOf(text()),
      label: text(),
    },
  },
  SetApiKeyEnabled: { code: 13, fields: { apiKey, enabled: flag() } },
  SetApiKeyTerms: { code: 27, fields: { apiKey, ...API_KEY_AMENDMENT } },
  RotateApiKey: { code: 28, fields: { apiKey, sealedSecret: byteString(), previousUntil: uint<TimeMs>() } },
  RevokeApiKey: { code: 29, fields: { apiKey } },
  ResealSecret: {
    code: 36,
    fields: {
      apiKey,
      /** The current state of the secret, or of the previous one. */
      from: byteString(),
      to: byteString(),
    },
  },
  SetApiKeyStrict: { code: 37, fields: { apiKey, strictSignature: flag() } },
  AddApiKey: {
    code: 82,
    since: KEY_RULES,
    fields: {
      accountId: uint<AccountId>(),
      apiKey,
      keyKind: word(KEY_KINDS),
      /** By `keyKind`: the sealed secret, or the public half as its 32 bytes, checked at the border. */
      material: byteString(),
      wire: word(KEY_WIRES),
      ...API_KEY_AMENDMENT,
      strictSignature: flag(),
    },
  },
})

type In<Kind extends keyof typeof KEY_ROWS> = CommandIn<typeof KEY_ROWS, Kind>

/** Adds a key to an account. */
export interface CreateApiKey extends In<'CreateApiKey'> {}

/** Adds a key of any kind and wire to an account, with all its terms at once. */
export interface AddApiKey extends In<'AddApiKey'> {}

export interface SetApiKeyEnabled extends In<'SetApiKeyEnabled'> {}

export interface SetApiKeyTerms extends In<'SetApiKeyTerms'> {}

/** Sets whether a key requires strict signatures; other commands do not change that. */
export interface SetApiKeyStrict extends In<'SetApiKeyStrict'> {}

/**
 * Gives a key another secret. The old one stays valid until `previousUntil`; 0 makes it invalid at once. The
 * command is refused for a key pair, which has no secret in the exchange.
 */
export interface RotateApiKey extends In<'RotateApiKey'> {}

/** Revokes a key permanently. */
export interface RevokeApiKey extends In<'RevokeApiKey'> {}

/**
 * Replaces the sealed form of a secret when the master key changes; nothing else of the key changes. If the
 * key no longer has the given sealed form, because its secret was rotated in the meantime, the command has no
 * effect.
 */
export interface ResealSecret extends In<'ResealSecret'> {}

export type KeyCommand = CommandIn<typeof KEY_ROWS>
