/**
 * Every possible answer to commands about withdrawals of traders and their addresses; `coverage.ts` has the
 * other commands.
 */
const ANY_ADDRESS = [
  'AddressAllowed',
  'AddressAllowed again',
  'done',
  'INVALID_COMMAND',
  'UNKNOWN_ASSET',
  'UNKNOWN_ACCOUNT',
  'ACCOUNT_CLOSED',
  'UNKNOWN_WITHDRAWAL_ADDRESS',
]

export const WITHDRAWAL_ANSWERS: Readonly<Record<string, readonly string[]>> = {
  AskWithdrawal: [
    'WithdrawalAsked',
    'WithdrawalAsked again',
    'EXCHANGE_CLOSED',
    'INVALID_COMMAND',
    'UNKNOWN_ASSET',
    'UNKNOWN_ACCOUNT',
    'ACCOUNT_CLOSED',
    'ASSET_NOT_WITHDRAWABLE',
    'ACCOUNT_RESTRICTED',
    'WITHDRAWAL_TOO_SMALL',
    'WITHDRAWAL_TOO_LARGE',
    'UNKNOWN_WITHDRAWAL_ADDRESS',
    'WITHDRAWAL_ADDRESS_TOO_NEW',
    'DUPLICATE_WITHDRAW_ORDER_ID',
    'INSUFFICIENT_FUNDS',
  ],
  RetractWithdrawal: [
    'done',
    'repeated',
    'EXCHANGE_CLOSED',
    'UNKNOWN_WITHDRAWAL',
    'WITHDRAWAL_FINISHED',
    'WITHDRAWAL_CLAIMED',
  ],
  SetOwnAddress: [...ANY_ADDRESS, 'EXCHANGE_CLOSED', 'ACCOUNT_RESTRICTED'],
  SetAccountAddress: ANY_ADDRESS,
  SetWithdrawalTerms: ['done', 'UNKNOWN_ASSET', 'INVALID_COMMAND'],
  HandleWithdrawal: [
    'done',
    'repeated',
    'INVALID_COMMAND',
    'UNKNOWN_WITHDRAWAL',
    'WITHDRAWAL_FINISHED',
    'ASSET_NOT_WITHDRAWABLE',
    'ACCOUNT_RESTRICTED',
    'ROLE_LIMIT',
    'ApprovalNeeded',
    'APPROVAL_WAITS',
    'NAMED_TOKEN_NEEDED',
  ],
}
