/** The core's refusals that occur only for operators' commands: listings, accounts, keys, pending money. */
import type { CoreReason } from '../../units/reasons.ts'
import { type OperatorReasonEntry, refused } from './entry.ts'

export const ADMINISTRATION_CATALOGUE = {
  UNKNOWN_API_KEY: refused(
    {
      en: 'There is no such API key.',
      when: 'the API key does not exist',
      remedy: "list the account's keys",
    },
    404,
  ),
  ASSET_EXISTS: refused(
    {
      en: 'An asset with this code is already listed.',
      when: 'an asset with this code is already listed',
      remedy: 'none needed, or use another code',
    },
    409,
  ),
  SYMBOL_EXISTS: refused(
    { en: 'This symbol is already listed.', when: 'the symbol is already listed', remedy: 'none needed' },
    409,
  ),
  BINANCE_NAME_TAKEN: refused(
    {
      en: 'Another symbol already has this name for clients of Binance{detail}. Give this one another name: binanceName (--binance-name).',
      when: 'another symbol, possibly a delisted one, has the [name for clients of Binance](../binance.md#names-of-symbols) that the new symbol would have',
      remedy: 'list the symbol with a `binanceName` of its own',
    },
    409,
  ),
  ACCOUNT_EXISTS: refused(
    {
      en: 'An account with this name already exists.',
      when: 'an account with this name exists',
      remedy: 'use another name',
    },
    409,
  ),
  CUSTOMER_ID_TAKEN: refused(
    {
      en: 'Another account has this customer id.',
      when: 'another account, possibly a closed one, has this customer id',
      remedy: 'find that account with `account/find`',
    },
    409,
  ),
  API_KEY_EXISTS: refused(
    { en: 'This API key already exists.', when: 'the API key exists', remedy: 'create another' },
    409,
  ),
  REFERENCE_CONFLICT: refused(
    {
      en: 'This reference has already been used for another transfer.',
      when: 'the reference was used for another transfer',
      remedy: 'use a new reference for a new transfer',
    },
    409,
  ),
  TOO_MANY_REFERENCES: refused(
    {
      en: 'No more references can be stored{detail}.',
      when: 'the limit of stored references is reached',
      remedy: 'report it',
    },
    400,
  ),
  SUPPLY_LIMIT: refused(
    {
      en: 'This would exceed the supply cap of the asset{detail}.',
      when: "the credit would exceed the asset's supply cap",
      remedy: 'check the amount',
    },
    400,
  ),
  CREDIT_LIMIT: refused(
    {
      en: 'The amount exceeds the limit of one credit of this asset{detail}.',
      when: 'the amount exceeds the limit of one credit of the asset',
      remedy: 'check the amount',
    },
    400,
  ),
  ACCOUNT_NOT_EMPTY: refused(
    {
      en: 'The account still has money or open orders.',
      when: 'the account to be closed has money or open orders',
      remedy: 'cancel its orders, and pay out its money',
    },
    400,
  ),
  SYMBOL_NOT_EMPTY: refused(
    {
      en: 'The symbol still has open orders.',
      when: 'the symbol to be delisted has open orders',
      remedy: 'cancel them first',
    },
    400,
  ),
  PHASE_SEQUENCE: refused(
    {
      en: 'The exchange is closed: switch to CANCEL_ONLY before TRADING, so that traders can cancel orders before trading resumes.',
      when: 'TRADING would follow CLOSED directly',
      remedy: '`exchange halt` first, or plan CANCEL_ONLY between the two',
    },
    400,
  ),
  PHASE_TIME_OUT_OF_RANGE: refused(
    {
      en: 'A planned phase must be in the future, at most 366 days ahead, and after the phase before it.',
      when: 'the time of a planned phase has passed, is too far ahead, or is not after that of the phase before',
      remedy: 'check the times and the time of the node (`clock show`)',
    },
    400,
  ),
  ASSET_NOT_DEPOSITABLE: refused(
    {
      en: 'The asset cannot be deposited now.',
      when: 'deposits of the asset are disabled',
      remedy: 'enable them, or wait',
    },
    400,
  ),
  ASSET_NOT_SAVABLE: refused(
    {
      en: 'The asset cannot be moved into savings.',
      when: 'savings of the asset are disabled',
      remedy: 'enable them',
    },
    400,
  ),
  APPROVAL_WAITS: refused(
    {
      en: 'A request for this withdrawal waits for approval: reject it before you cancel or refuse the withdrawal.',
      when: 'the request would cancel or refuse a withdrawal whose claim or completion waits for a [second person](admin.md#two-people)',
      remedy: '`approval reject` or `approval approve`; then try again',
    },
    409,
  ),
  WITHDRAWAL_NOT_CLAIMED: refused(
    {
      en: 'The trader can still cancel this withdrawal: claim it before you pay.',
      when: 'the request would complete a trader’s withdrawal that has not been claimed',
      remedy: '`withdrawal claim` first; pay only after it has succeeded',
    },
    409,
  ),
  API_KEY_REVOKED: refused(
    {
      en: 'The API key is permanently revoked.',
      when: 'the key is permanently revoked',
      remedy: 'create another',
    },
    400,
  ),
  UNKNOWN_FEE_TIER: refused(
    { en: 'There is no such fee tier.', when: 'the fee tier does not exist', remedy: 'list the fee tiers' },
    404,
  ),
  UNKNOWN_ROLE: refused(
    {
      en: 'There is no role with this name.',
      when: 'the [role](admin.md#roles) does not exist',
      remedy: 'list the roles',
    },
    404,
  ),
  ROLE_IN_USE: refused(
    {
      en: 'The role is used by a token that is not revoked{detail}.',
      when: 'a token that is not revoked has the role to be removed',
      remedy: 'revoke these tokens first',
    },
    409,
  ),
  ROLE_LIMIT: refused(
    {
      en: "The amount exceeds the limit of this token's role{detail}.",
      when: "the amount exceeds the [limit](admin.md#limits-by-amount-and-day) of the token’s role per command, or what is left of the limit per day; on an approval, that of the requester's role",
      remedy: 'the message says what is left, and when the next day begins',
    },
    400,
  ),
  UNKNOWN_TOKEN: refused(
    { en: 'There is no token with this name.', when: 'the token does not exist', remedy: 'list the tokens' },
    404,
  ),
  TOKEN_EXISTS: refused(
    {
      en: 'A token with this name exists or existed before.',
      when: 'a token with this name exists, or existed before',
      remedy: 'use another name',
    },
    409,
  ),
  UNKNOWN_APPROVAL: refused(
    {
      en: 'No request with this reference waits for approval.',
      when: 'no request with this reference waits: it was never made, was carried out or rejected, or has expired',
      remedy: 'list the requests that wait',
    },
    404,
  ),
  SELF_APPROVAL: refused(
    {
      en: 'You cannot approve your own request: another person must approve it.',
      when: 'the requester tries to approve the request',
      remedy: 'another person must approve it',
    },
    403,
  ),
  NAMED_TOKEN_NEEDED: refused(
    {
      en: 'This amount needs two people, each with a named token; the node’s own token belongs to no person. Create one with: bourse admin token add <name> --role OPERATOR, and use it as BOURSE_ADMIN_TOKEN.',
      when: "something that needs [two people](admin.md#two-people) is requested or approved with the node's own token, or was requested with it",
      remedy: '`token add`, then use that token as `BOURSE_ADMIN_TOKEN`',
    },
    403,
  ),
  TOKEN_TOO_NEW: refused(
    {
      en: 'The token was created after this request: a token can approve only requests made after it was created.',
      when: 'the approving token was created after the request',
      remedy: 'reject the request, and make it again',
    },
    403,
  ),
  TOO_MANY_PENDING: refused(
    {
      en: 'Too many withdrawals or approvals are pending{detail}.',
      when: 'the limit of pending withdrawals or approvals is reached',
      remedy: 'finish some of them',
    },
    400,
  ),
  LIMIT_REACHED: refused(
    {
      en: 'The limit of entries of this kind is reached{detail}.',
      when: 'no more assets, symbols, accounts, keys, fee tiers, tokens or bans can be added',
      remedy: 'report it',
    },
    400,
  ),
  UNKNOWN_RULES_VERSION: refused(
    {
      en: 'This program does not know that version of the rules.',
      when: 'this program does not know that version of the rules',
      remedy: 'use a release that does',
    },
    400,
  ),
} as const satisfies Partial<Record<CoreReason, OperatorReasonEntry>>
