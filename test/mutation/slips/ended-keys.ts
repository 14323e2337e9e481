/** Slips in the removal of keys from an account, and in the numbers of keys. */
import type { Slip } from '../slips.ts'

const OF_LIMITS = ['src/core/registry/key-limits.test.ts']
const OF_RULES = ['src/core/operators/ended-keys.test.ts']
const OF_VIEWS = ['src/views/numbered-keys.test.ts', 'src/views/accounts.test.ts']

export const ENDED_KEYS: readonly Slip[] = [
  {
    wrong: 'a live key leaves its account',
    file: 'src/core/registry/registry.ts',
    before: 'amendments.endOfKey(key, time) ?? Number.POSITIVE_INFINITY',
    after: 'amendments.endOfKey(key, time) ?? time',
    tests: OF_LIMITS,
  },
  {
    wrong: 'the newest key leaves, and its number is given again',
    file: 'src/core/registry/registry.ts',
    before: 'this.apiKeysOf(id).slice(0, -1)',
    after: 'this.apiKeysOf(id)',
    tests: OF_LIMITS,
  },
  {
    wrong: 'of several keys that ended at once the newest leaves',
    file: 'src/core/registry/registry.ts',
    before: 'if (endedAt >= end) continue',
    after: 'if (endedAt > end || endedAt === Number.POSITIVE_INFINITY) continue',
    tests: OF_LIMITS,
  },
  {
    wrong: 'a key that goes on again is one more than an account may have in use',
    file: 'src/core/registry/registry.ts',
    before: "counting !== 'LIVE' || !goesOn ||",
    after: "counting === 'LIVE' || !goesOn ||",
    tests: OF_LIMITS,
  },
  {
    wrong: 'expired keys shut an account out',
    file: 'src/core/registry/registry.ts',
    before: "if (counting === 'NOT_REVOKED' || notRevoked < most) return notRevoked < most",
    after: 'if (notRevoked >= 0) return notRevoked < most',
    tests: OF_LIMITS,
  },
  {
    wrong: 'a key that had expired leaves as one that ended when it was revoked',
    file: 'src/core/registry/amendments.ts',
    before: '(endOfKey(key, at) ?? at)',
    after: 'at',
    tests: OF_LIMITS,
  },
  {
    wrong: 'a key that is revoked again ends again',
    file: 'src/core/registry/amendments.ts',
    before: '  if (key.isRevoked) return key\n  return withFields',
    after: '  return withFields',
    tests: OF_RULES,
  },
  {
    wrong: 'revoked keys that have left count for ever',
    file: 'src/core/registry/record-store.ts',
    before: 'if (apiKey.isRevoked) this.#countRevoked(apiKey, -1)',
    after: 'if (apiKey.isRevoked) this.#countRevoked(apiKey, 1)',
    tests: OF_LIMITS,
  },
  {
    wrong: 'a number is given again after a start',
    file: 'src/core/registry/record-store.ts',
    before: 'this.keepApiKey(key, number)',
    after: 'this.keepApiKey(key)',
    tests: OF_LIMITS,
  },
  {
    wrong: 'a list of keys says each number, so that an old program cannot read it',
    file: 'src/core/registry/key-numbers.ts',
    before: 'return number === (numbers[place - 1] ?? 0) + 1 ? apiKey : { ...apiKey, number }',
    after: 'return { ...apiKey, number }',
    tests: OF_LIMITS,
  },
  {
    wrong: 'the number of the next key is how many there are',
    file: 'src/core/registry/key-numbers.ts',
    before: 'numbers?.at(-1) ?? this.textsOf(accountId).length',
    after: 'this.textsOf(accountId).length',
    tests: OF_LIMITS,
  },
  {
    wrong: 'keys leave under rules that the release before has to replay',
    file: 'src/core/operators/keys.ts',
    before: "return rulesVersion < ENDED_KEY_RULES ? 'NOT_REVOKED' : 'LIVE'",
    after: "return 'LIVE'",
    tests: OF_RULES,
  },
  {
    wrong: 'an end is kept under rules whose snapshots the release before has to read',
    file: 'src/core/operators/keys.ts',
    before: 'state.rulesVersion < ENDED_KEY_RULES ? undefined : state.time',
    after: 'state.time',
    tests: OF_RULES,
  },
  {
    wrong: 'nobody is told that a key has left',
    file: 'src/core/operators/keys.ts',
    before: "emit({ kind: 'ApiKeyRemoved', accountId, apiKey }),",
    after: 'void [accountId, apiKey],',
    tests: OF_RULES,
  },
  {
    wrong: 'a snapshot with a session of a key that has left cannot be read',
    file: 'src/core/snapshot/snapshot-sessions.ts',
    before: 'return registry.hasLostApiKeys(accountId) && (key === undefined || key.createdAt >= time)',
    after: 'return false',
    tests: OF_RULES,
  },
  {
    wrong: 'a key that has left opens an account',
    file: 'src/views/registry.ts',
    before: '        this.#keys.remove(event.apiKey)\n',
    after: '',
    tests: OF_VIEWS,
  },
  {
    wrong: 'a key that left while events were missed opens an account',
    file: 'src/views/registry.ts',
    before: '    this.#keys = new NumberedKeys()\n',
    after: '',
    tests: OF_VIEWS,
  },
  {
    wrong: 'operators see a key that has left',
    file: 'src/views/accounts.ts',
    before: "else if (event.kind === 'ApiKeyRemoved') this.#removeApiKey(event)",
    after: '',
    tests: OF_VIEWS,
  },
  {
    wrong: 'operators see a key that left while events were missed',
    file: 'src/views/accounts.ts',
    before: '    this.#keysByAccount.clear()\n',
    after: '',
    tests: OF_VIEWS,
  },
  {
    wrong: 'an order shows the key that came after the one that has left',
    file: 'src/views/numbered-keys.ts',
    before: 'return key?.number === number ? key.apiKey : undefined',
    after: 'return key?.apiKey',
    tests: OF_VIEWS,
  },
]
