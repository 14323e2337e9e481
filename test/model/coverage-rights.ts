/** Coverage of commands on operators' rights and on approvals in random runs: each with each answer. */

const TOO_LOW = 'RULES_VERSION_TOO_LOW'
/** Reasons for which an approval is refused. */
export const OF_APPROVALS = ['UNKNOWN_APPROVAL', 'SELF_APPROVAL', 'NAMED_TOKEN_NEEDED', 'TOKEN_TOO_NEW']

export const RIGHTS_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  AddAdminToken: ['done', 'TOKEN_EXISTS', 'INVALID_COMMAND'],
  RevokeAdminToken: ['done', 'UNKNOWN_TOKEN'],
  SetRole: ['done', 'UNKNOWN_ROLE', 'ROLE_IN_USE', 'INVALID_COMMAND', TOO_LOW],
  AddToken: ['done', 'UNKNOWN_ROLE', 'TOKEN_EXISTS', 'INVALID_COMMAND'],
  SetTokenTerms: ['done', 'UNKNOWN_TOKEN', 'INVALID_COMMAND'],
  SetRoleLimit: ['done', 'UNKNOWN_ASSET', 'UNKNOWN_ROLE', 'INVALID_COMMAND'],
  SetApprovalsNeeded: ['done', 'UNKNOWN_ASSET', 'INVALID_COMMAND'],
  Approve: ['done', 'ApprovalNeeded', ...OF_APPROVALS, 'what it approves is refused'],
  Reject: ['done', 'UNKNOWN_APPROVAL'],
}
