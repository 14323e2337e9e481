/**
 * Why the core refuses a command. A refusal is a value, never an exception, and changes nothing. The number of
 * a reason is its place in this list and travels in binary answers: add at the end, never remove or move one.
 */
export const CORE_REASONS = [
  'INTERNAL_ERROR', // the command was quarantined: applying it is a known bug
  'UNKNOWN_ASSET',
  'UNKNOWN_SYMBOL',
  'UNKNOWN_ACCOUNT',
  'UNKNOWN_API_KEY',
  'UNKNOWN_ORDER', // unknown, not yours or already done: one answer for the three
  'ASSET_EXISTS',
  'SYMBOL_EXISTS',
  'ACCOUNT_EXISTS',
  'API_KEY_EXISTS',
  'INVALID_COMMAND', // a field is out of the range its docstring states
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
  'SELF_TRADE_PREVENTED', // a MARKET order met only its own account and changed nothing
  'REFERENCE_CONFLICT', // the external reference was used for something else
  'TOO_MANY_REFERENCES',
  'SUPPLY_LIMIT', // a credit would exceed the asset's supply cap
  'LIMIT_REACHED', // assets, symbols, accounts or keys: the registry is full
  'UNKNOWN_RULES_VERSION',
  'ACCOUNT_RESTRICTED', // an operator has forbidden the account this
  'ACCOUNT_CLOSED',
  'ACCOUNT_NOT_EMPTY', // to be closed it must hold no money and no open order
  'SYMBOL_CANCEL_ONLY',
  'SYMBOL_DELISTED',
  'SYMBOL_NOT_EMPTY', // to be delisted its book must be empty
  'PRICE_OUT_OF_BAND', // outside of the symbol's price band
  'ASSET_NOT_WITHDRAWABLE',
  'ASSET_NOT_SAVABLE',
  'CREDIT_LIMIT', // more than one credit of the asset may bring
  'UNKNOWN_WITHDRAWAL',
  'WITHDRAWAL_FINISHED', // completed, and to be cancelled; or the other way round
  'API_KEY_REVOKED',
  'UNKNOWN_FEE_TIER',
  'UNKNOWN_TOKEN',
  'TOKEN_EXISTS',
  'UNKNOWN_APPROVAL', // nothing waits under this reference: never asked for, done, rejected or expired
  'SELF_APPROVAL', // the operator who asked for it cannot approve it
  'TOO_MANY_PENDING', // withdrawals or approvals that wait
  'ASSET_NOT_DEPOSITABLE',
  'NAMED_TOKEN_NEEDED', // much money is asked for and approved by holders of named tokens alone
  'TOKEN_TOO_NEW', // a token approves only what was asked for after it was made
  'RULES_VERSION_TOO_LOW', // the journal's rules do not have this command yet
  'FOK_NOT_FILLABLE', // a fill-or-kill order that the book cannot fill in full
  'LIMIT_MAKER_WOULD_TAKE', // a post-only order that would trade at once
  'DUPLICATE_CLIENT_ORDER_ID', // the client order id stands for another order of the account
  'TOO_MANY_CLIENT_ORDER_IDS', // of the account, or in all
  'STOP_PRICE_REACHED', // an order that waits for a trigger would be triggered at once
  'ICEBERG_QUANTITY_TOO_SMALL', // the part that an order shows is less than an order may be, or than 1/100 of its quantity
  'ICEBERG_QUANTITY_TOO_LARGE', // the part that an order shows is more than its quantity
  'ORDER_NOT_AMENDABLE', // the order waits for its trigger, or is of a list
  'AMENDED_QUANTITY_TOO_LARGE', // above the order's quantity
  'AMENDED_QUANTITY_TOO_SMALL', // not above what was executed and prevented of the order, or below a new order's minima
  'AMENDED_QUANTITY_TOO_PRECISE', // no whole number of lots of the order's symbol, or more than an order can have
  'EXPIRE_TIME_PASSED', // a GTD order would have ended already
  'EXPIRE_TIME_TOO_FAR', // a GTD order would end later than an order may
  'CANCEL_RESTRICTED', // the order to replace is not in the state in which alone it is to be cancelled
  'TOO_MANY_MASS_CANCELS', // of the account are under way
  'TOO_MANY_COUNTDOWNS', // of the account
  'UNKNOWN_ORDER_LIST', // unknown, not yours, or none of its orders is open
  'LIST_PRICES_CROSSED', // the two orders of an OCO pair do not stand on both sides of the last price
  'UNKNOWN_SESSION', // unknown, another account's or key's, or its time has come to an end
  'TOO_MANY_SESSIONS', // of the account, or in all
  'PRICE_NOT_ON_TICK', // a price is no multiple of the symbol's tick size
  'QUANTITY_NOT_ON_STEP', // a quantity is no multiple of the symbol's step size
  'EXCHANGE_CANCEL_ONLY', // the exchange as a whole takes no orders; open ones can be cancelled
  'EXCHANGE_CLOSED', // the exchange as a whole takes no orders, and none back
  'PHASE_SEQUENCE', // trading would follow the closed exchange without time to cancel
  'PHASE_TIME_OUT_OF_RANGE', // the moment of a planned phase is not ahead, too far ahead, or not after the one before
  'CUSTOMER_ID_TAKEN', // another account has this id of a customer
  'UNKNOWN_ROLE',
  'ROLE_IN_USE', // a token that is not revoked has the role to be removed
  'ROLE_LIMIT', // more than the role of the operator's token may move with one command, or in a day
  'WITHDRAWAL_TOO_SMALL', // below the asset's least withdrawal
  'WITHDRAWAL_TOO_LARGE', // above the asset's largest withdrawal
  'UNKNOWN_WITHDRAWAL_ADDRESS', // not among those of the account
  'WITHDRAWAL_ADDRESS_TOO_NEW', // added, and its delay is not over
  'TOO_MANY_WITHDRAWAL_ADDRESSES', // of the account, or in all
  'TOO_MANY_WITHDRAWALS', // asked for, of the account or in all
  'DUPLICATE_WITHDRAW_ORDER_ID', // the trader's own id stands for another withdrawal of the account
  'WITHDRAWAL_CLAIMED', // whoever pays has it in hand: its trader cannot cancel it any more
  'WITHDRAWAL_NOT_CLAIMED', // asked for by its trader, and completed before anybody has claimed it
  'APPROVAL_WAITS', // something asked of a withdrawal waits for a second person: it is not given back meanwhile
] as const

/** A reason of the core. The public catalogue (wire) gives each its code, HTTP status and texts. */
export type CoreReason = (typeof CORE_REASONS)[number]
