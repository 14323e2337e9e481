/** The rows of all commands: those of traders, of operators, and of the engine itself. */
import { uint } from '../../units/shapes/shape.ts'
import { FIRST_RULES_VERSION, NUMBER_RULES } from '../exchange/rules.ts'
import { ACCOUNT_ROWS } from './accounts.ts'
import { KEY_ROWS } from './keys.ts'
import { LISTING_ROWS } from './listings.ts'
import { MONEY_ROWS } from './money.ts'
import { ORDER_CHANGE_ROWS } from './order-changes.ts'
import { LIST_ENGINE_ROWS, LIST_ROWS, type PlaceList } from './order-lists.ts'
import { ORDER_ENGINE_ROWS, ORDER_OPERATOR_ROWS, ORDER_ROWS, type PlaceOrder } from './orders.ts'
import { PHASE_ENGINE_ROWS, PHASE_ROWS } from './phases.ts'
import { readPlaceList, writePlaceList } from './place-list-codec.ts'
import { readPlaceOrder, writePlaceOrder } from './place-order-codec.ts'
import { RIGHTS_ROWS } from './rights.ts'
import { type CommandRow, commandRows, operatorRows } from './row.ts'
import { SAFETY_ROWS } from './safety.ts'
import { SESSION_ENGINE_ROWS, SESSION_ROWS } from './sessions.ts'
import { TIMER_ENGINE_ROWS, TIMER_ROWS } from './timers.ts'
import { WITHDRAWAL_REQUEST_ROWS, WITHDRAWAL_ROWS } from './withdrawals.ts'

/** No shape describes the bytes of new orders: they are written and read by hand. */
const PLACEMENT_ROWS: {
  readonly PlaceOrder: CommandRow<PlaceOrder>
  readonly PlaceList: CommandRow<PlaceList>
} = {
  PlaceOrder: {
    code: 1,
    since: FIRST_RULES_VERSION,
    codec: { write: writePlaceOrder, read: readPlaceOrder },
  },
  PlaceList: { code: 54, since: FIRST_RULES_VERSION, codec: { write: writePlaceList, read: readPlaceList } },
}

export const TRADER_ROWS = {
  ...PLACEMENT_ROWS,
  ...ORDER_ROWS,
  ...ORDER_CHANGE_ROWS,
  ...TIMER_ROWS,
  ...LIST_ROWS,
  ...SESSION_ROWS,
  ...WITHDRAWAL_ROWS,
}

export const OPERATOR_ROWS = {
  ...LISTING_ROWS,
  ...ACCOUNT_ROWS,
  ...KEY_ROWS,
  ...MONEY_ROWS,
  ...operatorRows({ SetRulesVersion: { code: 14, fields: { version: uint() } } }),
  ...ORDER_OPERATOR_ROWS,
  ...SAFETY_ROWS,
  ...PHASE_ROWS,
  ...WITHDRAWAL_REQUEST_ROWS,
  ...RIGHTS_ROWS,
}

/** Given where an epoch begins, or where the journal continues without what another fork has. */
const EPOCH_ENGINE_ROWS = commandRows({
  BeginEpoch: { code: 90, since: NUMBER_RULES, fields: { epoch: uint() } },
})

export const ENGINE_ROWS = {
  ...ORDER_ENGINE_ROWS,
  ...TIMER_ENGINE_ROWS,
  ...LIST_ENGINE_ROWS,
  ...SESSION_ENGINE_ROWS,
  ...PHASE_ENGINE_ROWS,
  ...EPOCH_ENGINE_ROWS,
}

export const MARK_ROWS = commandRows({ MarkTime: { code: 40 } })

export const COMMAND_ROWS = { ...OPERATOR_ROWS, ...TRADER_ROWS, ...MARK_ROWS, ...ENGINE_ROWS }
