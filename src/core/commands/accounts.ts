/** Commands of operators on accounts and the fee tiers that accounts are in. */
import type { AccountId } from '../../units/ids.ts'
import { ACCOUNT_RESTRICTIONS, RESTRICTION_SOURCES } from '../../units/operator-enums.ts'
import { text, uint, word, wordSet } from '../../units/shapes/shape.ts'
import { CUSTOMER_RULES, KEY_RULES } from '../exchange/rules.ts'
import { ACCOUNT_AMENDMENT } from '../registry/amendments.ts'
import { ACCOUNT_PROFILE, FEE_TIER, SPECIAL_TERMS, SPECIAL_TERMS_OPTIONS } from '../registry/records.ts'
import { type CommandIn, operatorRows } from './row.ts'

const accountId = uint<AccountId>()

export const ACCOUNT_ROWS = operatorRows({
  CreateAccount: {
    code: 11,
    fields: {
      /** 1 to `TEXT_MAX`; unique. */
      name: text(),
    },
  },
  SetAccountRestrictions: { code: 15, fields: { accountId, restrictions: wordSet(ACCOUNT_RESTRICTIONS) } },
  ChangeRestrictions: {
    code: 83,
    since: KEY_RULES,
    fields: {
      accountId,
      source: word(RESTRICTION_SOURCES),
      /** No restriction may be in both lists. */
      added: wordSet(ACCOUNT_RESTRICTIONS),
      removed: wordSet(ACCOUNT_RESTRICTIONS),
    },
  },
  CloseAccount: { code: 16, fields: { accountId } },
  OpenCustomer: { code: 85, since: CUSTOMER_RULES, fields: { name: text() } },
  RaiseCustomerEpoch: { code: 86, since: CUSTOMER_RULES, fields: { accountId } },
  ForgetCustomer: { code: 87, since: CUSTOMER_RULES, fields: { accountId } },
  SetAccountTerms: { code: 17, fields: { accountId, ...ACCOUNT_AMENDMENT } },
  SetFeeTier: { code: 21, fields: FEE_TIER },
  SetAccountProfile: { code: 75, fields: { accountId, ...ACCOUNT_PROFILE } },
  SetSpecialTerms: {
    code: 76,
    fields: { accountId, ...SPECIAL_TERMS },
    options: SPECIAL_TERMS_OPTIONS,
  },
})

type In<Kind extends keyof typeof ACCOUNT_ROWS> = CommandIn<typeof ACCOUNT_ROWS, Kind>

export interface CreateAccount extends In<'CreateAccount'> {}

/**
 * Adds and removes restrictions of one source on a trader's account; those of the other stay. Its open orders
 * stay.
 */
export interface ChangeRestrictions extends In<'ChangeRestrictions'> {}

/**
 * Sets all restrictions of operators on a trader's account; an empty set removes them. Its open orders stay.
 */
export interface SetAccountRestrictions extends In<'SetAccountRestrictions'> {}

/** Opens the account of a self-registered customer. No other account can become a customer's. */
export interface OpenCustomer extends In<'OpenCustomer'> {}

/** Makes void everything that gave the customer access before this command. */
export interface RaiseCustomerEpoch extends In<'RaiseCustomerEpoch'> {}

/** Permanently erases the customer's data; the account stays. */
export interface ForgetCustomer extends In<'ForgetCustomer'> {}

export interface SetAccountTerms extends In<'SetAccountTerms'> {}

/** Closes an account permanently. It must hold no money and no open order. */
export interface CloseAccount extends In<'CloseAccount'> {}

/** Defines a tier, or changes it for all accounts that have it. */
export interface SetFeeTier extends In<'SetFeeTier'> {}

/**
 * Sets operators' notes on a trader's account; the previous ones are replaced, and an empty note means none.
 */
export interface SetAccountProfile extends In<'SetAccountProfile'> {}

/**
 * Gives a trader's account special terms in place of its previous ones; absent terms are removed. No term may
 * have ended already.
 */
export interface SetSpecialTerms extends In<'SetSpecialTerms'> {}

export type AccountCommand = CommandIn<typeof ACCOUNT_ROWS>
