/** Random commands on API keys, in the whole range that their format can carry. */
import * as fc from 'fast-check'
import { KEY_KINDS, KEY_WIRES, PERMISSIONS } from '../../units/order-enums.ts'
import type { TimeMs } from '../../units/quantities.ts'
import type { SharedArbitraries } from '../questions/support.arbitraries.ts'
import type { KeyCommand } from './keys.ts'

export function keyCommands({ operator, accountId, uint, text }: SharedArbitraries): {
  readonly [K in KeyCommand['kind']]: fc.Arbitrary<Extract<KeyCommand, { readonly kind: K }>>
} {
  const time = uint as fc.Arbitrary<TimeMs>
  return {
    CreateApiKey: fc.record({
      kind: fc.constant('CreateApiKey' as const),
      operator,
      accountId,
      apiKey: text,
      sealedSecret: fc.uint8Array({ maxLength: 80 }),
      permissions: fc.array(fc.constantFrom(...PERMISSIONS), { maxLength: 4 }),
      addresses: fc.array(text, { maxLength: 4 }),
      label: text,
    }),
    AddApiKey: fc.record({
      kind: fc.constant('AddApiKey' as const),
      operator,
      accountId,
      apiKey: text,
      keyKind: fc.constantFrom(...KEY_KINDS),
      material: fc.uint8Array({ maxLength: 80 }),
      wire: fc.constantFrom(...KEY_WIRES),
      permissions: fc.array(fc.constantFrom(...PERMISSIONS), { maxLength: 4 }),
      addresses: fc.array(text, { maxLength: 4 }),
      label: text,
      expiresAt: time,
      strictSignature: fc.boolean(),
    }),
    SetApiKeyEnabled: fc.record({
      kind: fc.constant('SetApiKeyEnabled' as const),
      operator,
      apiKey: text,
      enabled: fc.boolean(),
    }),
    SetApiKeyTerms: fc.record({
      kind: fc.constant('SetApiKeyTerms' as const),
      operator,
      apiKey: text,
      permissions: fc.array(fc.constantFrom(...PERMISSIONS), { maxLength: 4 }),
      addresses: fc.array(text, { maxLength: 4 }),
      label: text,
      expiresAt: time,
    }),
    SetApiKeyStrict: fc.record({
      kind: fc.constant('SetApiKeyStrict' as const),
      operator,
      apiKey: text,
      strictSignature: fc.boolean(),
    }),
    RotateApiKey: fc.record({
      kind: fc.constant('RotateApiKey' as const),
      operator,
      apiKey: text,
      sealedSecret: fc.uint8Array({ maxLength: 80 }),
      previousUntil: time,
    }),
    RevokeApiKey: fc.record({ kind: fc.constant('RevokeApiKey' as const), operator, apiKey: text }),
    ResealSecret: fc.record({
      kind: fc.constant('ResealSecret' as const),
      operator,
      apiKey: text,
      from: fc.uint8Array({ maxLength: 80 }),
      to: fc.uint8Array({ maxLength: 80 }),
    }),
  }
}
