/** Slips in operators' rights: roles, limits by amount and day, several approvals. */
import type { Slip } from '../slips.ts'

const LIMITS = 'src/core/operators/role-limits.ts'
const ROLES = 'src/core/operators/roles.ts'
const APPROVALS = 'src/core/operators/approvals.ts'

export const RIGHTS_SLIPS: readonly Slip[] = [
  {
    wrong: 'a repeat counts towards the day: what waits is refused when it is asked for again',
    file: 'src/core/operators/money.ts',
    before: 'const isNew = isApproved || waitingApproval(state, reference) === undefined',
    after: 'const isNew = true',
  },
  {
    wrong: 'what was approved is not held to the limit of who asked',
    file: 'src/core/operators/money.ts',
    before: 'const isNew = isApproved || waitingApproval(state, reference) === undefined',
    after: 'const isNew = !isApproved && waitingApproval(state, reference) === undefined',
  },
  {
    wrong: 'withdrawals are not counted',
    file: 'src/core/withdrawals/hold.ts',
    before: '  countMoved(state, actor, move, emit)\n',
    after: '',
  },
  {
    wrong: 'the day of a limit never ends',
    file: LIMITS,
    before: 'return limit.day === day ? limit[way].moved : NO_AMOUNT',
    after: 'return limit[way].moved',
  },
  {
    wrong: 'what came in counts as what went out',
    file: LIMITS,
    before: 'moved: one === way ? amountSum(before, amount) : before',
    after: 'moved: amountSum(before, amount)',
  },
  {
    wrong: 'a limit that is set anew forgets the day',
    file: ROLES,
    before: 'known?.day === day && inDay > 0 ? known.in.moved : NO_AMOUNT',
    after: 'NO_AMOUNT',
  },
  {
    wrong: 'a role goes while a token has it',
    file: ROLES,
    before: "if (isRoleInUse(state, name)) return refused('ROLE_IN_USE')",
    after: '',
  },
  {
    wrong: 'the limits of a role stay when it goes',
    file: ROLES,
    before: 'if (limit.role === name) backOffice.roleLimits.delete(limit)',
    after: 'if (limit.role === name) continue',
  },
  {
    wrong: 'whoever approves twice is two',
    file: APPROVALS,
    before: 'one !== actor && approverRefusal(state, approval, one) === undefined',
    after: 'approverRefusal(state, approval, one) === undefined',
  },
  {
    wrong: 'the approval of somebody who left counts',
    file: APPROVALS,
    before: 'one !== actor && approverRefusal(state, approval, one) === undefined',
    after: 'one !== actor',
  },
  {
    wrong: 'who has no right to approve does',
    file: APPROVALS,
    before: "return !mayApprove(state, actor) ? 'NAMED_TOKEN_NEEDED' : undefined",
    after: 'return undefined',
  },
  {
    wrong: 'a token opens after its time',
    file: 'src/core/registry/roles.ts',
    before: 'return !isRevoked && (expiresAt === undefined || expiresAt > time)',
    after: 'return !isRevoked',
  },
  {
    wrong: 'a token opens from anywhere',
    file: 'src/server/admin/callers.ts',
    before: 'if (!isFrom(token, address)) {',
    after: 'if (address === undefined) {',
  },
  {
    wrong: 'a named token raises what it may',
    file: 'src/contract/admin/operations/roles.ts',
    before: "or change its rights. Needs the node's own token.\",\n    rights: ['owner'],",
    after: "or change its rights. Needs the node's own token.\",\n    rights: ['tokens'],",
    tests: ['src/server/admin/roles/roles.test.ts'],
  },
  {
    wrong: 'a snapshot forgets the rights',
    file: 'src/core/snapshot/snapshot.ts',
    before: 'isEmpty: ({ backOffice }) => !backOffice.hasRights,',
    after: 'isEmpty: () => true,',
  },
  {
    wrong: 'a limit of a role that is set anew forgets what went out',
    file: 'src/core/operators/roles.ts',
    before: 'outDay > 0 ? known.out.moved : NO_AMOUNT',
    after: 'outDay > 0 ? NO_AMOUNT : NO_AMOUNT',
  },
  {
    wrong: 'of three approvals the earlier ones are lost',
    file: 'src/core/operators/approvals.ts',
    before: 'approvedBy: [...others, actor]',
    after: 'approvedBy: [actor]',
  },
  {
    wrong: 'a refusal names what the caller may not read',
    file: 'src/server/admin/context.ts',
    before: "known === undefined || !mayRead(context, known.right) ? ''",
    after: "known === undefined ? ''",
    tests: ['src/server/admin/roles/refusal-texts.test.ts'],
  },
  {
    wrong: 'a warning names an account that the caller may not read',
    file: 'src/server/admin/accounts/accounts.ts',
    before: "alikeWarnings('account', likes, mayRead(context, 'read.accounts'))",
    after: "alikeWarnings('account', likes, mayRead(context, 'read.accounts') || likes.length > 0)",
    tests: ['src/server/admin/roles/refusal-texts.test.ts'],
  },
  {
    wrong: 'a market is opened again from an open page without the token',
    file: 'src/contract/admin/operations/listings.ts',
    before: "'symbol/resume': changes('UNPROTECTS'",
    after: "'symbol/resume': changes('QUICK'",
    tests: ['src/server/admin/page-sessions/confirmation.test.ts'],
  },
]
