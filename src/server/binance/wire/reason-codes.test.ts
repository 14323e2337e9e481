import { describe, expect, test } from 'bun:test'
import { REASON_NAMES, type Reason } from '../../../contract/reasons/catalogue.ts'
import { Refusal } from '../../common/refusal.ts'
import { REASON_CODES } from './reason-codes.ts'
import { refused } from './refused.ts'

/** The outcome is unknown, or the request had no effect and may succeed later: a client may send it again. */
const MAY_BE_SENT_AGAIN: readonly Reason[] = [
  ...(['INTERNAL_ERROR', 'OUTCOME_UNKNOWN', 'STARTING', 'STOPPING'] as const),
  ...(['OVERLOADED', 'ENGINE_DOWN', 'NO_LEADER', 'SESSION_KEYS_UNKNOWN'] as const),
]

describe('a reason as an error of this wire', () => {
  test('has a negative number for each reason', () => {
    expect(Object.keys(REASON_CODES).sort()).toEqual([...REASON_NAMES].sort())
    for (const reason of REASON_NAMES)
      expect([reason, REASON_CODES[reason].code < -999]).toEqual([reason, true])
  })

  test('is 5xx only where it is not certain that nothing was done, or nothing can be done now', () => {
    const high = REASON_NAMES.filter((reason) => (REASON_CODES[reason].status ?? 400) >= 500)
    expect(high.sort()).toEqual([...MAY_BE_SENT_AGAIN].sort())
  })

  test.each(REASON_NAMES.map((reason) => [reason]))('%s has a text, with our reason beside it', (reason) => {
    const error = refused(new Refusal(reason, {}))
    const body = JSON.parse(error.body())
    expect(Object.keys(body)).toEqual(['code', 'msg', 'reason'])
    expect([body.reason, typeof body.msg, body.msg.length > 5]).toEqual([reason, 'string', true])
  })

  test.each([
    ['INSUFFICIENT_FUNDS', -2010, 'Account has insufficient balance for requested action.'],
    ['SYMBOL_HALTED', -2010, 'Market is closed.'],
    ['LIMIT_MAKER_WOULD_TAKE', -2010, 'Order would immediately match and take.'],
    ['DUPLICATE_CLIENT_ORDER_ID', -2010, 'Duplicate order sent.'],
    ['UNKNOWN_ORDER', -2011, 'Unknown order sent.'],
    ['INVALID_SIGNATURE', -1022, 'Signature for this request is not valid.'],
    ['TIMESTAMP_AHEAD', -1021, "Timestamp for this request was 1000ms ahead of the server's time."],
    ['TIMESTAMP_EXPIRED', -1021, 'Timestamp for this request is outside of the recvWindow.'],
    ['MISSING_API_KEY', -2014, 'API-key format invalid.'],
    ['INVALID_API_KEY', -2015, 'Invalid API-key, IP, or permissions for action.'],
    ['PRICE_OUT_OF_BAND', -1013, 'Filter failure: PRICE_FILTER'],
    ['UNKNOWN_SYMBOL', -1121, 'Invalid symbol.'],
    ['SYMBOL_CANCEL_ONLY', -2010, 'Market is closed.'],
    ['EXCHANGE_CLOSED', -2010, 'Market is closed.'],
    ['NO_LIQUIDITY', -2010, 'Order book liquidity is less than symbol minimum quantity.'],
    ['ACCOUNT_RESTRICTED', -2010, 'This action is disabled on this account.'],
    ['ICEBERG_QUANTITY_TOO_LARGE', -2010, 'IcebergQty exceeds QTY.'],
    ['LIST_PRICES_CROSSED', -2010, 'The relationship of the prices for the orders is not correct.'],
    ['STOP_PRICE_REACHED', -2010, 'Order would trigger immediately.'],
    ['UNKNOWN_ORDER_LIST', -2011, 'Unknown order list sent.'],
    ['QUANTITY_NOT_ON_STEP', -1013, 'Filter failure: LOT_SIZE'],
    ['TOTAL_TOO_SMALL', -1013, 'Filter failure: NOTIONAL'],
    ['TOO_MANY_OPEN_ORDERS', -1013, 'Filter failure: MAX_NUM_ORDERS'],
    ['ICEBERG_QUANTITY_TOO_SMALL', -1013, 'Filter failure: ICEBERG_PARTS'],
    ['DUPLICATE_PARAMETER', -1101, 'Duplicate values for a parameter detected.'],
    [
      'OUTCOME_UNKNOWN',
      -1007,
      'Timeout waiting for response from backend server. Send status unknown; execution status unknown.',
    ],
    [
      'OVERLOADED',
      -1008,
      'Server is currently overloaded with other requests. Please try again in a few minutes.',
    ],
  ] as const)('%s has the exact text that clients match on', (reason, code, msg) => {
    expect(refused(new Refusal(reason, {}))).toMatchObject({ code, msg })
  })
})
