/**
 * Commands as bytes: the journal's format for ever. A command is its code and its fields, in a fixed order.
 *
 * A code's shape never changes and a code is never given to anything else. A new optional field of an order
 * is a new bit of its presence bitmap; any other change is a new code beside the old one, which stays readable.
 * Only form is checked here, not the rules: whatever was journaled must be readable, so that the core can
 * refuse it the same way again. Unknown codes, bits and words are a `BytesFault`, never a guess.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../../units/bytes.ts'
import type { Command, CommandKind, OperatorCommand } from '../command.ts'
import { ACCOUNT_FIELDS } from './commands/accounts.ts'
import type { FieldCodec, FieldCodecs } from './commands/fields.ts'
import { KEY_FIELDS } from './commands/keys.ts'
import { LISTING_FIELDS } from './commands/listings.ts'
import { MONEY_FIELDS } from './commands/money.ts'
import {
  readAmendOrder,
  readReplaceOrder,
  writeAmendOrder,
  writeReplaceOrder,
} from './commands/order-changes.ts'
import {
  readCancelClientList,
  readCancelList,
  readPlaceList,
  readPlacePending,
  writeCancelClientList,
  writeCancelList,
  writePlaceList,
  writePlacePending,
} from './commands/order-lists.ts'
import {
  ORDERS_FIELDS,
  readCancelClientOrder,
  readCancelOrder,
  readExpireOrder,
  readPlaceOrder,
  readTriggerOrder,
  writeCancelClientOrder,
  writeCancelOrder,
  writeExpireOrder,
  writePlaceOrder,
  writeTriggerOrder,
} from './commands/orders.ts'
import { PHASE_FIELDS } from './commands/phases.ts'
import { RIGHTS_FIELDS } from './commands/rights.ts'
import { SAFETY_FIELDS } from './commands/safety.ts'
import * as sessions from './commands/sessions.ts'
import * as timers from './commands/timers.ts'
import * as withdrawals from './commands/withdrawals.ts'

/** The first byte of each command. 0 stays free, so that zeroed storage is never a command. */
export const COMMAND_CODES = Object.freeze({
  PlaceOrder: 1,
  CancelOrder: 2,
  Credit: 3,
  Debit: 4,
  MoveBetweenBuckets: 5,
  ListAsset: 6,
  SetAssetFlags: 7,
  ListSymbol: 8,
  SetSymbolState: 9,
  SetSymbolRates: 10,
  CreateAccount: 11,
  CreateApiKey: 12,
  SetApiKeyEnabled: 13,
  SetRulesVersion: 14,
  SetAccountRestrictions: 15,
  CloseAccount: 16,
  SetAccountTerms: 17,
  CancelOrders: 18,
  SetAssetTerms: 19,
  SetSymbolTerms: 20,
  SetFeeTier: 21,
  HoldWithdrawal: 22,
  CompleteWithdrawal: 23,
  CancelWithdrawal: 24,
  MoveSavings: 25,
  PayOutCommission: 26,
  SetApiKeyTerms: 27,
  RotateApiKey: 28,
  RevokeApiKey: 29,
  AddAdminToken: 30,
  RevokeAdminToken: 31,
  Approve: 32,
  Reject: 33,
  BanAddress: 34,
  LiftBan: 35,
  ResealSecret: 36,
  SetApiKeyStrict: 37,
  AcceptClock: 38,
  CancelClientOrder: 39,
  MarkTime: 40,
  TriggerOrder: 41,
  AmendOrder: 42,
  ExpireOrder: 46,
  ReplaceOrder: 43,
  CancelAllOrders: 47,
  ContinueCancelAll: 48,
  SetCountdown: 49,
  FireCountdown: 50,
  OpenSession: 51,
  DisconnectSession: 52,
  EndSession: 53,
  PlaceList: 54,
  CancelList: 55,
  CancelClientList: 56,
  PlacePending: 57,
  DisconnectSessions: 58,
  SetSymbolIncrements: 59,
  SetPhase: 60,
  PlanPhases: 61,
  EnterPhase: 62,
  AskWithdrawal: 63,
  RetractWithdrawal: 64,
  SetOwnAddress: 65,
  SetAccountAddress: 66,
  SetWithdrawalTerms: 67,
  HandleWithdrawal: 68,
  SetRole: 69,
  AddToken: 70,
  SetTokenTerms: 71,
  SetRoleLimit: 72,
  SetApprovalsNeeded: 73,
  CancelAnyOrder: 74,
  SetAccountProfile: 75,
  SetSpecialTerms: 76,
  NoteChange: 79,
} as const satisfies Record<CommandKind, number>)

type OperatorKind = OperatorCommand['kind']

const OPERATOR_FIELDS: FieldCodecs<OperatorKind> = {
  ...ORDERS_FIELDS,
  ...LISTING_FIELDS,
  ...ACCOUNT_FIELDS,
  ...KEY_FIELDS,
  ...MONEY_FIELDS,
  ...SAFETY_FIELDS,
  ...PHASE_FIELDS,
  ...withdrawals.WITHDRAWAL_DESK_FIELDS,
  ...RIGHTS_FIELDS,
  SetRulesVersion: {
    write: (w, c) => w.uint(c.version),
    read: (r) => ({ version: r.uint() }),
  },
}

const OPERATOR_KIND_BY_CODE = new Map<number, OperatorKind>(
  (Object.keys(OPERATOR_FIELDS) as OperatorKind[]).map((kind) => [COMMAND_CODES[kind], kind]),
)

/** Appends `command`. A value without a form (a fraction, an unknown word) is an `InvariantError`. */
export function writeCommand(w: ByteWriter, command: Command): void {
  w.u8(COMMAND_CODES[command.kind])
  switch (command.kind) {
    case 'PlaceOrder':
      writePlaceOrder(w, command)
      break
    case 'CancelOrder':
      writeCancelOrder(w, command)
      break
    case 'CancelClientOrder':
      writeCancelClientOrder(w, command)
      break
    case 'AmendOrder':
      writeAmendOrder(w, command)
      break
    case 'ReplaceOrder':
      writeReplaceOrder(w, command)
      break
    case 'TriggerOrder':
      writeTriggerOrder(w, command)
      break
    case 'ExpireOrder':
      writeExpireOrder(w, command)
      break
    case 'CancelAllOrders':
    case 'ContinueCancelAll':
    case 'SetCountdown':
    case 'FireCountdown':
      timers.writeTimerCommand(w, command)
      break
    case 'PlaceList':
      writePlaceList(w, command)
      break
    case 'CancelList':
      writeCancelList(w, command)
      break
    case 'CancelClientList':
      writeCancelClientList(w, command)
      break
    case 'PlacePending':
      writePlacePending(w, command)
      break
    case 'OpenSession':
    case 'DisconnectSession':
    case 'EndSession':
      sessions.writeSessionCommand(w, command)
      break
    case 'AskWithdrawal':
    case 'RetractWithdrawal':
    case 'SetOwnAddress':
      withdrawals.writeWithdrawalCommand(w, command)
      break
    case 'DisconnectSessions':
    case 'EnterPhase':
    case 'MarkTime':
      break
    default:
      w.text(command.operator.actor)
      w.text(command.operator.note)
      fieldsOf(command.kind).write(w, command)
  }
}

/** Reads the command at `r`; whatever is not one is a `BytesFault` that names the position. */
export function readCommand(r: ByteReader): Command {
  const code = r.u8()
  switch (code) {
    case COMMAND_CODES.PlaceOrder:
      return readPlaceOrder(r)
    case COMMAND_CODES.CancelOrder:
      return readCancelOrder(r)
    case COMMAND_CODES.CancelClientOrder:
      return readCancelClientOrder(r)
    case COMMAND_CODES.AmendOrder:
      return readAmendOrder(r)
    case COMMAND_CODES.ReplaceOrder:
      return readReplaceOrder(r)
    case COMMAND_CODES.MarkTime:
      return { kind: 'MarkTime' }
    case COMMAND_CODES.TriggerOrder:
      return readTriggerOrder(r)
    case COMMAND_CODES.ExpireOrder:
      return readExpireOrder(r)
    case COMMAND_CODES.CancelAllOrders:
      return timers.readCancelAllOrders(r)
    case COMMAND_CODES.ContinueCancelAll:
      return timers.readContinueCancelAll(r)
    case COMMAND_CODES.SetCountdown:
      return timers.readSetCountdown(r)
    case COMMAND_CODES.FireCountdown:
      return timers.readFireCountdown(r)
    case COMMAND_CODES.PlaceList:
      return readPlaceList(r)
    case COMMAND_CODES.CancelList:
      return readCancelList(r)
    case COMMAND_CODES.CancelClientList:
      return readCancelClientList(r)
    case COMMAND_CODES.PlacePending:
      return readPlacePending(r)
    case COMMAND_CODES.OpenSession:
      return sessions.readOpenSession(r)
    case COMMAND_CODES.DisconnectSession:
      return sessions.readDisconnectSession(r)
    case COMMAND_CODES.EndSession:
      return sessions.readEndSession(r)
    case COMMAND_CODES.AskWithdrawal:
      return withdrawals.readAskWithdrawal(r)
    case COMMAND_CODES.RetractWithdrawal:
      return withdrawals.readRetractWithdrawal(r)
    case COMMAND_CODES.SetOwnAddress:
      return withdrawals.readSetOwnAddress(r)
    case COMMAND_CODES.DisconnectSessions:
      return { kind: 'DisconnectSessions' }
    case COMMAND_CODES.EnterPhase:
      return { kind: 'EnterPhase' }
  }
  const kind = OPERATOR_KIND_BY_CODE.get(code)
  if (kind === undefined) throw new BytesFault(`unknown command code ${code} at byte ${r.at - 1}`)
  const operator = { actor: r.text(), note: r.text() }
  return { kind, operator, ...fieldsOf(kind).read(r) } as OperatorCommand
}

/** The compiler does not follow that a kind's codec is for that kind's commands. */
function fieldsOf(kind: OperatorKind): FieldCodec<OperatorKind> {
  return OPERATOR_FIELDS[kind] as FieldCodec<OperatorKind>
}
