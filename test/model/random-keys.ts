/** Random commands on API keys, existing ones or not: their terms, secrets, kinds and ends. */
import type { KeyCommand } from '../../src/core/commands/keys.ts'
import type { AccountId } from '../../src/units/ids.ts'
import { KEY_KINDS, KEY_WIRES, PERMISSIONS } from '../../src/units/order-enums.ts'
import type { TimeMs } from '../../src/units/quantities.ts'
import { someOwner } from './random-operands.ts'
import type { RandomSource } from './random-source.ts'
import type { ReferenceState } from './reference-state.ts'

type Kind = Exclude<KeyCommand['kind'], 'CreateApiKey' | 'SetApiKeyEnabled'>
type Draw<K extends Kind> = (
  random: RandomSource,
  state: ReferenceState,
) => Omit<Extract<KeyCommand, { kind: K }>, 'kind' | 'operator'>

export const KEY_DRAWS: { readonly [K in Kind]: Draw<K> } = {
  SetApiKeyTerms: (random, state) => ({
    apiKey: someKey(random, state),
    permissions: PERMISSIONS.filter(() => random.once(2)),
    addresses: random.once(8) ? [''] : ['::1'],
    label: random.pick(['', 'second label']),
    expiresAt: someEnd(random, state),
  }),
  SetApiKeyStrict: (random, state) => ({
    apiKey: someKey(random, state),
    strictSignature: random.once(2),
  }),
  RotateApiKey: (random, state) => ({
    apiKey: someKey(random, state),
    sealedSecret: new Uint8Array(random.once(8) ? random.pick([0, 1_025]) : random.pick([1, 32])).fill(
      random.below(9),
    ),
    previousUntil: random.pick([0, 1_800_000_000_000]) as TimeMs,
  }),
  AddApiKey: (random, state) => {
    const keyKind = random.pick(KEY_KINDS)
    const wire = random.pick(KEY_WIRES)
    const length = random.once(12) ? random.pick([0, 31, 1_025]) : 32
    return {
      // Often the account of another key, so that accounts have many.
      accountId: ownerOfKey(random, state) ?? someOwner(random, state),
      apiKey: random.once(12) ? '' : `key-${random.below(20)}`,
      keyKind,
      material: new Uint8Array(length).fill(random.below(9)),
      wire,
      permissions: PERMISSIONS.filter((one) => random.once(one === 'WITHDRAW' ? 6 : 2)),
      addresses: random.once(8) ? [''] : ['::1'],
      label: random.once(12) ? 'l'.repeat(201) : random.pick(['', 'bot']),
      expiresAt: someEnd(random, state),
      strictSignature: (wire === 'BOURSE' && keyKind === 'ED25519') !== random.once(8),
    }
  },
  RevokeApiKey: (random, state) => ({ apiKey: random.once(2) ? 'no-such-key' : someKey(random, state) }),
  ResealSecret: (random, state) => {
    const apiKey = someKey(random, state)
    const known = state.apiKeys.find((key) => key.apiKey === apiKey)
    const sealings = [known?.sealedSecret, known?.previousSecret?.sealedSecret, new Uint8Array(2)]
    const from = random.pick(sealings.filter((sealing) => sealing !== undefined))
    const length = random.once(8) ? random.pick([0, 1_025]) : random.pick([1, 32])
    return { apiKey, from, to: new Uint8Array(length).fill(random.below(9)) }
  },
}

function someKey(random: RandomSource, { apiKeys }: ReferenceState): string {
  if (random.once(5) || apiKeys.length === 0) return 'no-such-key'
  // Few keys have a wire or a public key, and few are revoked, so these are drawn more often: most refusals
  // of changes concern them.
  const special = apiKeys.filter(
    (key) => key.isRevoked || key.wire !== undefined || key.publicKey !== undefined,
  )
  return random.pick(special.length > 0 && random.once(3) ? special : apiKeys).apiKey
}

/** The end of a key: never, late, soon or at once. */
function someEnd(random: RandomSource, { time }: ReferenceState): TimeMs {
  return random.pick([0, 1_800_000_000_000, time + random.below(60), time]) as TimeMs
}

function ownerOfKey(random: RandomSource, { apiKeys }: ReferenceState): AccountId | undefined {
  return apiKeys.length === 0 || random.once(2) ? undefined : random.pick(apiKeys).accountId
}
