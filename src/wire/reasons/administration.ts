/**
 * The core's refusals that only operators' commands meet: listings, accounts, keys, money on its way.
 */
import type { CoreReason } from '../../units/reasons.ts'
import { type OperatorReasonEntry, refused } from './entry.ts'

export const ADMINISTRATION_CATALOGUE = {
  UNKNOWN_API_KEY: refused(
    { en: 'There is no such API key.', when: 'no such key', remedy: "list the account's keys" },
    404,
  ),
  ASSET_EXISTS: refused(
    {
      en: 'An asset with this code is already listed.',
      when: 'the asset is listed already',
      remedy: 'nothing, or another code',
    },
    409,
  ),
  SYMBOL_EXISTS: refused(
    { en: 'This symbol is already listed.', when: 'the symbol is listed already', remedy: 'nothing' },
    409,
  ),
  ACCOUNT_EXISTS: refused(
    {
      en: 'An account with this name already exists.',
      when: 'an account has this name',
      remedy: 'another name',
    },
    409,
  ),
  CUSTOMER_ID_TAKEN: refused(
    {
      en: 'Another account has this customer id.',
      when: 'another account, perhaps a closed one, has this customer id',
      remedy: 'look it up with `account/find`',
    },
    409,
  ),
  API_KEY_EXISTS: refused(
    { en: 'This API key already exists.', when: 'the key exists', remedy: 'make another' },
    409,
  ),
  REFERENCE_CONFLICT: refused(
    {
      en: 'This reference has already been used for something else.',
      when: 'the reference was used for a different transfer',
      remedy: 'use a new reference for a new transfer',
    },
    409,
  ),
  TOO_MANY_REFERENCES: refused(
    {
      en: 'No more external references can be remembered{detail}.',
      when: 'no more references can be remembered',
      remedy: 'report it',
    },
    400,
  ),
  SUPPLY_LIMIT: refused(
    {
      en: 'This would exceed the supply cap of the asset{detail}.',
      when: "a credit would exceed the asset's supply cap",
      remedy: 'check the amount',
    },
    400,
  ),
  CREDIT_LIMIT: refused(
    {
      en: 'The amount exceeds what one credit of this asset may bring{detail}.',
      when: 'more than one credit of the asset may bring',
      remedy: 'check the amount',
    },
    400,
  ),
  ACCOUNT_NOT_EMPTY: refused(
    {
      en: 'The account still holds money or has open orders.',
      when: 'an account to be closed holds money or has open orders',
      remedy: 'cancel its orders, pay its money out',
    },
    400,
  ),
  SYMBOL_NOT_EMPTY: refused(
    {
      en: 'The symbol still has open orders.',
      when: 'a symbol to be delisted has open orders',
      remedy: 'cancel them first',
    },
    400,
  ),
  PHASE_SEQUENCE: refused(
    {
      en: 'The exchange is closed before: CANCEL_ONLY comes first, so that traders can take back orders before it trades.',
      when: 'TRADING would follow CLOSED',
      remedy: '`exchange halt` first, or plan CANCEL_ONLY between the two',
    },
    400,
  ),
  PHASE_TIME_OUT_OF_RANGE: refused(
    {
      en: 'A planned phase lies ahead, at most 366 days, and after the one before.',
      when: 'the moment of a planned phase has passed, is too far ahead, or is not after the one before',
      remedy: 'look at the moments and at the time of the node (`clock show`)',
    },
    400,
  ),
  ASSET_NOT_DEPOSITABLE: refused(
    {
      en: 'The asset cannot be deposited now.',
      when: 'deposits of the asset are switched off',
      remedy: 'switch them on, or wait',
    },
    400,
  ),
  ASSET_NOT_SAVABLE: refused(
    {
      en: 'The asset cannot be moved into savings.',
      when: 'savings of the asset are switched off',
      remedy: 'switch them on',
    },
    400,
  ),
  APPROVAL_WAITS: refused(
    {
      en: 'Something asked of this withdrawal waits for a second person: reject it before the money is given back.',
      when: 'a withdrawal is to be canceled or refused while a claim or a completion of it waits for a [second person](#two-people)',
      remedy: '`approval reject`, or approve it; then ask again',
    },
    409,
  ),
  WITHDRAWAL_NOT_CLAIMED: refused(
    {
      en: 'The trader who asked for the withdrawal can still cancel it: claim it before it is paid.',
      when: 'a withdrawal that its trader has asked for is to be completed, and nobody has claimed it',
      remedy: '`withdrawal claim` first, and pay only when that is done',
    },
    409,
  ),
  API_KEY_REVOKED: refused(
    { en: 'The API key is revoked for good.', when: 'the key is revoked for good', remedy: 'make another' },
    400,
  ),
  UNKNOWN_FEE_TIER: refused(
    { en: 'There is no such fee tier.', when: 'no such fee tier', remedy: 'list them' },
    404,
  ),
  UNKNOWN_ROLE: refused(
    { en: 'There is no role of this name.', when: 'no such [role](#roles)', remedy: 'list them' },
    404,
  ),
  ROLE_IN_USE: refused(
    {
      en: 'A token that is not revoked has this role{detail}.',
      when: 'a role is to be removed that a token has which is not revoked',
      remedy: 'revoke its tokens first',
    },
    409,
  ),
  ROLE_LIMIT: refused(
    {
      en: 'The role of this token may not move as much{detail}.',
      when: 'more than the [limit](#limits-by-amount-and-day) of the token’s role with one command, or in what is left of the day; of an approval, of the role of whoever asked',
      remedy: 'the message says what is left, and when a new day begins',
    },
    400,
  ),
  UNKNOWN_TOKEN: refused(
    { en: 'There is no token of this name.', when: 'no such token', remedy: 'list them' },
    404,
  ),
  TOKEN_EXISTS: refused(
    {
      en: 'A token of this name exists already, or did.',
      when: 'a token of this name exists, or did',
      remedy: 'another name',
    },
    409,
  ),
  UNKNOWN_APPROVAL: refused(
    {
      en: 'Nothing waits for approval under this reference.',
      when: 'nothing waits under this reference: never asked for, done, rejected or expired',
      remedy: 'list what waits',
    },
    404,
  ),
  SELF_APPROVAL: refused(
    {
      en: 'Somebody else than who asked for it must approve it.',
      when: 'whoever asked for it approves it',
      remedy: 'somebody else must',
    },
    403,
  ),
  NAMED_TOKEN_NEEDED: refused(
    {
      en: 'This amount takes two people, each with a named token; the node’s own token is nobody’s. Make one with: bourse admin token add <name> --role OPERATOR, and use it as BOURSE_ADMIN_TOKEN.',
      when: "what needs [two people](#two-people) is asked for or approved with the node's own token, or was asked for so",
      remedy: '`token add`, then with `BOURSE_ADMIN_TOKEN`',
    },
    403,
  ),
  TOKEN_TOO_NEW: refused(
    {
      en: 'The token was made after this was asked for: a token approves only what was asked for later than it was made.',
      when: 'the approving token was made after the request',
      remedy: 'reject the request, and ask again',
    },
    403,
  ),
  TOO_MANY_PENDING: refused(
    {
      en: 'Too many withdrawals or approvals are waiting{detail}.',
      when: 'as many withdrawals or approvals wait as may',
      remedy: 'finish some',
    },
    400,
  ),
  LIMIT_REACHED: refused(
    {
      en: 'The largest number of entries of this kind has been reached{detail}.',
      when: 'no more assets, symbols, accounts, keys, fee tiers, tokens or bans can be added',
      remedy: 'report it',
    },
    400,
  ),
  UNKNOWN_RULES_VERSION: refused(
    {
      en: 'This software does not know that version of the rules.',
      when: 'this release does not know that version of the rules',
      remedy: 'use the release that does',
    },
    400,
  ),
} as const satisfies Partial<Record<CoreReason, OperatorReasonEntry>>
