/**
 * The reasons why the core refuses a command. A refusal is a value, never an exception, and changes nothing.
 * The number of a reason is its place in this list and is sent in binary answers: add new ones at the end,
 * never remove or move one.
 */
export const CORE_REASONS = [
  'INTERNAL_ERROR', // the command was quarantined: applying it is a known bug
  'UNKNOWN_ASSET',
  'UNKNOWN_SYMBOL',
  'UNKNOWN_ACCOUNT',
  'UNKNOWN_API_KEY',
  'UNKNOWN_ORDER', // unknown, another account's or already ended: one answer for all three
  'ASSET_EXISTS',
  'SYMBOL_EXISTS',
  'ACCOUNT_EXISTS',
  'API_KEY_EXISTS',
  'INVALID_COMMAND', // a field is out of the range in its docstring
  'SYMBOL_HALTED',
  'ASSET_NOT_TRADABLE',
  'INSUFFICIENT_FUNDS',
  'QUANTITY_TOO_SMALL', // below the symbol's minimum quantity
  'TOTAL_TOO_SMALL', // below one ledger unit, or below the symbol's minTotal
  'TOTAL_MISMATCH', // a LIMIT order's total is not price x quantity
  'TOO_MANY_OPEN_ORDERS', // per account and symbol
  'TOO_MANY_PRICE_LEVELS', // per side of a book
  'NO_LIQUIDITY', // a MARKET order found nothing to trade with
  'TOTAL_BELOW_BEST_PRICE', // a MARKET order's total does not buy or sell one lot at the best price
  'SELF_TRADE_PREVENTED', // a MARKET order found only orders of its own account and changed nothing
  'REFERENCE_CONFLICT', // the external reference was used for something else
  'TOO_MANY_REFERENCES',
  'SUPPLY_LIMIT', // a credit would exceed the asset's supply cap
  'LIMIT_REACHED', // there are too many assets, symbols, accounts or keys
  'UNKNOWN_RULES_VERSION',
  'ACCOUNT_RESTRICTED', // an operator has restricted the account
  'ACCOUNT_CLOSED',
  'ACCOUNT_NOT_EMPTY', // an account can be closed only without money and open orders
  'SYMBOL_CANCEL_ONLY',
  'SYMBOL_DELISTED',
  'SYMBOL_NOT_EMPTY', // a symbol can be delisted only with an empty book
  'PRICE_OUT_OF_BAND', // outside the symbol's price band
  'ASSET_NOT_WITHDRAWABLE',
  'ASSET_NOT_SAVABLE',
  'CREDIT_LIMIT', // above the maximum of one credit of the asset
  'UNKNOWN_WITHDRAWAL',
  'WITHDRAWAL_FINISHED', // a completed withdrawal cannot be canceled, and a canceled one cannot be completed
  'API_KEY_REVOKED',
  'UNKNOWN_FEE_TIER',
  'UNKNOWN_TOKEN',
  'TOKEN_EXISTS',
  // no approval is pending under this reference: never requested, done, rejected or expired
  'UNKNOWN_APPROVAL',
  'SELF_APPROVAL', // an operator cannot approve their own request
  'TOO_MANY_PENDING', // pending withdrawals or approvals
  'ASSET_NOT_DEPOSITABLE',
  'NAMED_TOKEN_NEEDED', // large amounts are requested and approved only by holders of named tokens
  'TOKEN_TOO_NEW', // a token approves only requests made after its creation
  'RULES_VERSION_TOO_LOW', // the journal's rules do not have this command yet
  'FOK_NOT_FILLABLE', // a fill-or-kill order that the book cannot fill in full
  'LIMIT_MAKER_WOULD_TAKE', // a post-only order that would trade at once
  'DUPLICATE_CLIENT_ORDER_ID', // the client order id belongs to another order of the account
  'TOO_MANY_CLIENT_ORDER_IDS', // of the account, or of all accounts
  'STOP_PRICE_REACHED', // an order that waits for a trigger would be triggered at once
  // the displayed part is below an order's minimum, or below 1/100 of the order's quantity
  'ICEBERG_QUANTITY_TOO_SMALL',
  'ICEBERG_QUANTITY_TOO_LARGE', // the displayed part is above the order's quantity
  'ORDER_NOT_AMENDABLE', // the order waits for its trigger, or belongs to a list
  'AMENDED_QUANTITY_TOO_LARGE', // above the order's quantity
  // not above the executed and prevented quantity of the order, or below a new order's minima
  'AMENDED_QUANTITY_TOO_SMALL',
  // not an integer number of lots of the order's symbol, or more than an order can have
  'AMENDED_QUANTITY_TOO_PRECISE',
  'EXPIRE_TIME_PASSED', // a GTD order would have ended already
  'EXPIRE_TIME_TOO_FAR', // a GTD order would end later than an order may
  'CANCEL_RESTRICTED', // the order to replace is not in the only status in which it may be canceled
  'TOO_MANY_MASS_CANCELS', // of the account, in progress
  'TOO_MANY_COUNTDOWNS', // of the account
  'UNKNOWN_ORDER_LIST', // unknown, another account's, or none of its orders is open
  'LIST_PRICES_CROSSED', // the two orders of an OCO pair are not on both sides of the last price
  'UNKNOWN_SESSION', // unknown, another account's or key's, or ended
  'TOO_MANY_SESSIONS', // of the account, or of all accounts
  'PRICE_NOT_ON_TICK', // a price is not a multiple of the symbol's tick size
  'QUANTITY_NOT_ON_STEP', // a quantity is not a multiple of the symbol's step size
  'EXCHANGE_CANCEL_ONLY', // the whole exchange accepts no orders; open ones can be canceled
  'EXCHANGE_CLOSED', // the whole exchange accepts neither orders nor cancels
  'PHASE_SEQUENCE', // trading would follow the closed exchange without time to cancel
  // the time of a planned phase is past, too far ahead, or not after the one before
  'PHASE_TIME_OUT_OF_RANGE',
  'CUSTOMER_ID_TAKEN', // another account has this customer id
  'UNKNOWN_ROLE',
  'ROLE_IN_USE', // a token that is not revoked has the role to be removed
  'ROLE_LIMIT', // above the limit of the operator's role for one command or one day
  'WITHDRAWAL_TOO_SMALL', // below the asset's smallest withdrawal
  'WITHDRAWAL_TOO_LARGE', // above the asset's largest withdrawal
  'UNKNOWN_WITHDRAWAL_ADDRESS', // not one of the account's addresses
  'WITHDRAWAL_ADDRESS_TOO_NEW', // added, but its waiting time is not over
  'TOO_MANY_WITHDRAWAL_ADDRESSES', // of the account, or of all accounts
  'TOO_MANY_WITHDRAWALS', // requested, of the account or of all accounts
  'DUPLICATE_WITHDRAW_ORDER_ID', // the trader's own id belongs to another withdrawal of the account
  'WITHDRAWAL_CLAIMED', // the withdrawal was claimed for payment: its trader can no longer cancel it
  'WITHDRAWAL_NOT_CLAIMED', // requested by its trader, and not yet claimed
  // a step of the withdrawal waits for a second person: its money is not returned in the meantime
  'APPROVAL_WAITS',
  'BINANCE_NAME_TAKEN', // another symbol has this name for clients of Binance
] as const

/** A reason of the core. The public catalogue (`contract`) has a code, an HTTP status and texts for each. */
export type CoreReason = (typeof CORE_REASONS)[number]
