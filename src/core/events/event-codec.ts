/**
 * Events as bytes, to cross from the engine's thread to read models. They are never journaled, so both ends
 * are of one version and the format may change with the code. Trades, levels and placements pass at the full
 * rate.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { invariant } from '../../units/invariant.ts'
import { type ByteCodec, constant, object, type Shape } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { readAsked, writeAsked } from '../ledger/asked-terms.ts'
import { readWithdrawal, writeWithdrawal } from '../ledger/withdrawals.ts'
import * as backOffice from '../records/back-office-codec.ts'
import { readTokenTerms, writeTokenTerms } from '../records/rights-codec.ts'
import { isPlainToken } from '../registry/roles.ts'
import {
  type AdminTokenChanged,
  EVENT_ROWS,
  type ExchangeEvent,
  MATCHED as MATCHED_FIELDS,
  type OrdersMatched,
  type WithdrawalChanged,
} from './event.ts'
import * as orders from './order-events-codec.ts'

/** For events written by hand, whose form is not a record's. */
const ORDER_PLACED = 1
/** In place of the code of `OrdersMatched`, of a trade without a number in its symbol. */
const UNNUMBERED_MATCH = 2
const ORDER_CANCELED = 4
const ADMIN_TOKEN_CHANGED = 13
const WITHDRAWAL_CHANGED = 16
/** In place of the code of `WithdrawalChanged`, for one requested by its trader: more fields follow. */
const ASKED_WITHDRAWAL_CHANGED = 56
/** In place of `AdminTokenChanged` of a token that has more than the form of that can say. */
const TOKEN_WITH_TERMS = 61

type Kind = { readonly code: number; readonly codec: ByteCodec<ExchangeEvent> }

const KIND_BY_NAME: ReadonlyMap<string, Kind> = new Map(
  Object.entries(EVENT_ROWS).map(([name, { code, shape }]) => {
    // The compiler does not follow that a kind's row is for that kind's events.
    return [name, { code, codec: byteCodec(shape as Shape) as ByteCodec<ExchangeEvent> }]
  }),
)

const MATCHED = { code: EVENT_ROWS.OrdersMatched.code, codec: byteCodec(EVENT_ROWS.OrdersMatched.shape) }
const UNNUMBERED = byteCodec(object({ kind: constant('OrdersMatched'), ...MATCHED_FIELDS }))
const LEVEL = { code: EVENT_ROWS.LevelChanged.code, codec: byteCodec(EVENT_ROWS.LevelChanged.shape) }

const BY_HAND: readonly (readonly [number, ByteCodec<ExchangeEvent>['read']])[] = [
  [ORDER_CANCELED, orders.readOrderCanceled],
  [ADMIN_TOKEN_CHANGED, (r) => ({ kind: 'AdminTokenChanged', token: backOffice.readAdminToken(r) })],
  [WITHDRAWAL_CHANGED, (r) => ({ kind: 'WithdrawalChanged', withdrawal: readWithdrawal(r) })],
  [ASKED_WITHDRAWAL_CHANGED, readAskedWithdrawal],
  [TOKEN_WITH_TERMS, readTokenWithTerms],
]

const READ_BY_CODE: ByteCodec<ExchangeEvent>['read'][] = []
for (const [code, read] of [...BY_HAND, ...declared()]) {
  invariant(READ_BY_CODE[code] === undefined, () => `two kinds of events have code ${code}`)
  READ_BY_CODE[code] = read
}

function declared(): [number, ByteCodec<ExchangeEvent>['read']][] {
  return [...KIND_BY_NAME.values()].map(({ code, codec }) => [code, codec.read])
}

/** Appends `event`. A value without a form is an `InvariantError`. */
export function writeEvent(w: ByteWriter, event: ExchangeEvent): void {
  switch (event.kind) {
    case 'OrderPlaced':
      w.u8(ORDER_PLACED)
      orders.writeOrderPlaced(w, event)
      break
    // Most events are trades and levels: they bypass the table.
    case 'OrdersMatched':
      writeMatched(w, event)
      break
    case 'LevelChanged':
      w.u8(LEVEL.code)
      LEVEL.codec.write(w, event)
      break
    case 'OrderCanceled':
      w.u8(ORDER_CANCELED)
      orders.writeOrderCanceled(w, event)
      break
    case 'AdminTokenChanged':
      writeTokenChanged(w, event)
      break
    case 'WithdrawalChanged':
      writeWithdrawalChanged(w, event)
      break
    default: {
      const kind = KIND_BY_NAME.get(event.kind)
      invariant(kind !== undefined, () => `no event is a ${event.kind}`)
      w.u8(kind.code)
      kind.codec.write(w, event)
    }
  }
}

/** Reads the event at `r`; throws a `BytesFault` that names the position if there is no valid one. */
export function readEvent(r: ByteReader): ExchangeEvent {
  const code = r.u8()
  switch (code) {
    case ORDER_PLACED:
      return orders.readOrderPlaced(r)
    case MATCHED.code:
      return numbered(MATCHED.codec.read(r), r)
    case UNNUMBERED_MATCH:
      return { ...UNNUMBERED.read(r), symbolTrade: 0 }
    case LEVEL.code:
      return LEVEL.codec.read(r)
  }
  const read = READ_BY_CODE[code]
  if (read === undefined) throw new BytesFault(`unknown event code ${code} at byte ${r.at - 1}`)
  return read(r)
}

/** Under earlier rules as earlier programs read it: they may take part while a cluster is upgraded. */
function writeMatched(w: ByteWriter, event: OrdersMatched): void {
  if (event.symbolTrade > 0) {
    w.u8(MATCHED.code)
    MATCHED.codec.write(w, event)
    return
  }
  w.u8(UNNUMBERED_MATCH)
  UNNUMBERED.write(w, event)
}

/** One form each: a trade without a number is only read under the code of those. */
function numbered(event: OrdersMatched, r: ByteReader): OrdersMatched {
  if (event.symbolTrade === 0) throw new BytesFault(`expected the number of a trade before byte ${r.at}`)
  return event
}

function writeTokenChanged(w: ByteWriter, { token }: AdminTokenChanged): void {
  const isPlain = isPlainToken(token)
  w.u8(isPlain ? ADMIN_TOKEN_CHANGED : TOKEN_WITH_TERMS)
  backOffice.writeAdminToken(w, token)
  if (!isPlain) writeTokenTerms(w, token)
}

function readTokenWithTerms(r: ByteReader): AdminTokenChanged {
  const plain = backOffice.readAdminToken(r)
  return { kind: 'AdminTokenChanged', token: readTokenTerms(r, () => plain) }
}

function writeWithdrawalChanged(w: ByteWriter, { withdrawal }: WithdrawalChanged): void {
  w.u8(withdrawal.asked === undefined ? WITHDRAWAL_CHANGED : ASKED_WITHDRAWAL_CHANGED)
  writeWithdrawal(w, withdrawal)
  if (withdrawal.asked !== undefined) writeAsked(w, withdrawal.asked)
}

function readAskedWithdrawal(r: ByteReader): WithdrawalChanged {
  return { kind: 'WithdrawalChanged', withdrawal: { ...readWithdrawal(r), asked: readAsked(r) } }
}
