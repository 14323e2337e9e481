/** Slips in traders' withdrawals. */
import type { Slip } from '../slips.ts'

const ASK = 'src/core/withdrawals/ask.ts'
const CLAIM = 'src/core/withdrawals/claim.ts'
const HANDLINGS = 'src/core/operators/handlings.ts'
const ADDRESSES = 'src/core/withdrawals/addresses.ts'
const ENDS = 'src/core/withdrawals/hold.ts'
const KEPT = 'src/core/ledger/asked-withdrawals.ts'

export const WITHDRAWAL_SLIPS: readonly Slip[] = [
  {
    wrong: 'a trader cancels what is being paid',
    file: ASK,
    before: "  if (asked.claimedAt !== undefined) return refused('WITHDRAWAL_CLAIMED')\n",
    after: '',
  },
  {
    wrong: "a trader cancels another account's withdrawal",
    file: ASK,
    before: '!isAsked(known) || known.accountId !== accountId',
    after: '!isAsked(known)',
  },
  {
    wrong: 'money goes to an address whose delay is not over',
    file: ASK,
    before: 'return usableAt <= time',
    after: 'return usableAt >= 0 || time > 0',
  },
  {
    wrong: 'a withdrawal is asked for twice under one id',
    file: ASK,
    before: 'if (repeated !== undefined) return repeated',
    after: "if (repeated?.kind === 'Refused') return repeated",
  },
  {
    wrong: 'what nobody has claimed is completed',
    file: ENDS,
    before: 'isAsked(known) && known.asked.claimedAt === undefined',
    after: 'isAsked(known) && known.asked.claimedAt === null',
  },
  {
    wrong: 'what a frozen account has asked for is paid',
    file: CLAIM,
    before: '  if (reason !== undefined) return refused(reason)\n  const isNew',
    after: '  const isNew',
  },
  {
    wrong: 'what a role may not complete is claimed with it',
    file: CLAIM,
    before: "way: 'out', amount })) return refused('ROLE_LIMIT')",
    after: "way: 'in', amount })) return refused('ROLE_LIMIT')",
  },
  {
    wrong: 'much money is claimed before a second person approves',
    file: CLAIM,
    before: 'if (approvedBy === undefined) {',
    after: 'if (approvedBy !== undefined) {',
  },
  {
    wrong: 'one person gives back what two have claimed, where the threshold was raised',
    file: ENDS,
    before: 'tookTwo || isMuch(asset, amount)',
    after: 'isMuch(asset, amount)',
  },
  {
    wrong: 'one person gives back much that was claimed under a higher threshold',
    file: ENDS,
    before: 'tookTwo || isMuch(asset, amount)',
    after: 'tookTwo',
  },
  {
    wrong: 'what waits for a second person is given back by one',
    file: ENDS,
    before:
      "if (waiting !== undefined && waiting.kind !== 'RefuseWithdrawal') return refused('APPROVAL_WAITS')",
    after: '',
  },
  {
    wrong: 'a claim that its trader has outrun waits on',
    file: ASK,
    before: "if (waiting !== undefined) endApproval(state, waiting, 'REJECTED', emit)",
    after: '',
  },
  {
    wrong: 'who claimed is forgotten when a refusal is rejected',
    file: HANDLINGS,
    before: 'put(state, { ...handlingOf(state, reference), rejected }, emit)',
    after: 'put(state, { ...untouched(reference), rejected }, emit)',
  },
  {
    wrong: 'who had a withdrawal in hand is kept when it has ended',
    file: HANDLINGS,
    before: '  backOffice.handlings.delete(reference)\n',
    after: '',
  },
  {
    wrong: 'an address that is added again may be used sooner',
    file: ADDRESSES,
    before: 'if (known !== undefined && (!isAtOnce || known.usableAt < time)) return known.usableAt',
    after: 'if (known !== undefined && !isAtOnce) return time',
  },
  {
    wrong: 'what was paid is forgotten with what its trader asked for',
    file: KEPT,
    before: "if (state === 'COMPLETED') this.#withdrawals.put(withdrawal)",
    after: "if (state === 'PENDING') this.#withdrawals.put(withdrawal)",
  },
  {
    wrong: 'a withdrawal that its trader has canceled is forgotten at once',
    file: KEPT,
    before: 'end.at + this.#limits.lifetimeMs > time',
    after: 'end.at > time',
  },
  {
    wrong: 'operators use references that the exchange gives',
    file: 'src/core/operators/money.ts',
    before: 'return parseWithdrawalUuid(reference) !== undefined',
    after: 'return reference.length === 0',
  },
  {
    wrong: 'money is withdrawn under a signature that names no endpoint',
    file: 'src/server/access/auth/authenticate.ts',
    before: "  if (isStrict && claim.kind === 'PLAIN') return refuse('STRICT_SIGNATURE_REQUIRED', {})\n",
    after: '',
  },
  {
    wrong: 'every key may withdraw',
    file: 'src/server/admin/accounts/keys.ts',
    before: 'permissions = DEFAULT_PERMISSIONS',
    after: "permissions = [...DEFAULT_PERMISSIONS, 'WITHDRAW']",
  },
  {
    wrong: 'a snapshot forgets what traders have asked for',
    file: 'src/core/snapshot/snapshot.ts',
    before: 'isEmpty: ({ withdrawalRequests }) => withdrawalRequests.isEmpty,',
    after: 'isEmpty: () => true,',
  },
  {
    wrong: 'a withdrawal to another tag passes for a repeat',
    file: 'src/core/withdrawals/ask.ts',
    before: 'known.asked.tag === tag',
    after: 'known.asked.tag.length >= 0',
  },
]
