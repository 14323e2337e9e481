/**
 * Events as bytes, to cross from the engine's thread to read models. They are never journaled, so both ends are of
 * one version and the format may change with the code. Trades, levels and placements pass at the full rate.
 */

import { type ByteReader, BytesFault, type ByteWriter } from '../../../units/bytes.ts'
import { readWord, writeWord } from '../../../units/field-codec.ts'
import type { AccountId, AssetId } from '../../../units/ids.ts'
import { APPROVAL_STATES } from '../../../units/operator-words.ts'
import type { Amount, Lots } from '../../../units/quantities.ts'
import { readApiKey, writeApiKey } from '../../registry/records-codec.ts'
import { isPlainToken } from '../../registry/roles.ts'
import type * as E from '../event.ts'
import * as backOffice from './back-office-codec.ts'
import * as orders from './order-events-codec.ts'
import { readPhases, writePhases } from './phases-codec.ts'
import * as record from './record-codec.ts'
import { writeTokenTerms } from './rights-codec.ts'
import {
  RIGHTS_EVENT_CODES,
  readRightsEvent,
  TOKEN_WITH_TERMS,
  writeRightsEvent,
} from './rights-events-codec.ts'
import { readRulesVersion } from './rules-codec.ts'
import {
  ASKED_WITHDRAWAL_CHANGED,
  readWithdrawalEvent,
  WITHDRAWAL_EVENT_CODES,
  writeWithdrawalEvent,
} from './withdrawal-events-codec.ts'

const CODES = {
  OrderPlaced: 1,
  OrdersMatched: 2,
  LevelChanged: 3,
  OrderCanceled: 4,
  OrderDecremented: 5,
  ExternalTransfer: 6,
  AssetChanged: 7,
  SymbolChanged: 8,
  AccountCreated: 9,
  ApiKeyChanged: 10,
  AccountChanged: 11,
  FeeTierChanged: 12,
  AdminTokenChanged: 13,
  AddressBanned: 14,
  BanLifted: 15,
  ApprovalChanged: 17,
  RulesVersionChanged: 18,
  OrderTriggered: 19,
  OrderAmended: 20,
  PhasesChanged: 21,
  BalanceMoved: 30,
  OrderActivated: 54,
  ...WITHDRAWAL_EVENT_CODES,
  ...RIGHTS_EVENT_CODES,
} as const satisfies Record<E.ExchangeEvent['kind'], number>

type BackOfficeEvent = Extract<
  E.ExchangeEvent,
  {
    kind:
      | 'FeeTierChanged'
      | 'AdminTokenChanged'
      | 'AddressBanned'
      | 'BanLifted'
      | 'WithdrawalChanged'
      | 'WithdrawalAddressChanged'
      | 'WithdrawalHandled'
      | 'ApprovalChanged'
      | 'RulesVersionChanged'
      | 'PhasesChanged'
      | 'ApprovalGiven'
      | 'RoleChanged'
      | 'RoleLimitChanged'
      | 'ApprovalsNeededChanged'
  }
>

/** Appends `event`. A value without a form is an `InvariantError`. */
export function writeEvent(w: ByteWriter, event: E.ExchangeEvent): void {
  w.u8(codeOf(event))
  switch (event.kind) {
    case 'OrderPlaced':
      orders.writeOrderPlaced(w, event)
      break
    case 'OrdersMatched':
      orders.writeOrdersMatched(w, event)
      break
    case 'LevelChanged':
      orders.writeLevelChanged(w, event)
      break
    case 'OrderCanceled':
      orders.writeOrderCanceled(w, event)
      break
    case 'OrderTriggered':
      orders.writeOrderTriggered(w, event)
      break
    case 'OrderActivated':
      orders.writeOrderActivated(w, event)
      break
    case 'OrderDecremented':
      orders.writeOrderLowered(w, event)
      break
    case 'OrderAmended':
      orders.writeOrderLowered(w, event)
      w.uint(event.remaining)
      break
    default:
      writeRecordEvent(w, event)
  }
}

function codeOf(event: E.ExchangeEvent): number {
  if (event.kind === 'AdminTokenChanged' && !isPlainToken(event.token)) return TOKEN_WITH_TERMS
  const isAsked = event.kind === 'WithdrawalChanged' && event.withdrawal.asked !== undefined
  return isAsked ? ASKED_WITHDRAWAL_CHANGED : CODES[event.kind]
}

/** What is none of orders and books. */
type RecordEvent = Exclude<
  E.ExchangeEvent,
  | E.OrderPlaced
  | E.OrdersMatched
  | E.LevelChanged
  | E.OrderCanceled
  | E.OrderTriggered
  | E.OrderActivated
  | E.OrderDecremented
  | E.OrderAmended
>

function writeRecordEvent(w: ByteWriter, event: RecordEvent): void {
  switch (event.kind) {
    case 'ExternalTransfer':
      writeExternalTransfer(w, event)
      break
    case 'BalanceMoved':
      w.uint(event.accountId)
      w.uint(event.assetId)
      break
    case 'AssetChanged':
      record.writeAsset(w, event.asset)
      break
    case 'SymbolChanged':
      record.writeSymbol(w, event.symbol)
      break
    case 'AccountCreated':
    case 'AccountChanged':
      record.writeAccount(w, event.account)
      break
    case 'ApiKeyChanged':
      writeApiKey(w, event.apiKey)
      break
    default:
      writeBackOfficeEvent(w, event)
  }
}

/** Of what operators keep. */
function writeBackOfficeEvent(w: ByteWriter, event: BackOfficeEvent): void {
  switch (event.kind) {
    case 'FeeTierChanged':
      backOffice.writeFeeTier(w, event.feeTier)
      break
    case 'AdminTokenChanged':
      backOffice.writeAdminToken(w, event.token)
      if (!isPlainToken(event.token)) writeTokenTerms(w, event.token)
      break
    case 'AddressBanned':
      backOffice.writeAddressBan(w, event.ban)
      break
    case 'BanLifted':
      w.text(event.address)
      break
    case 'WithdrawalChanged':
    case 'WithdrawalAddressChanged':
    case 'WithdrawalHandled':
      writeWithdrawalEvent(w, event)
      break
    case 'ApprovalChanged':
      backOffice.writeApproval(w, event.approval)
      writeWord(w, APPROVAL_STATES, event.state)
      break
    case 'RulesVersionChanged':
      w.uint(event.version)
      break
    case 'PhasesChanged':
      writePhases(w, event.phases)
      break
    default:
      writeRightsEvent(w, event)
  }
}

/** Reads the event at `r`; whatever is not one is a `BytesFault` that names the position. */
export function readEvent(r: ByteReader): E.ExchangeEvent {
  const code = r.u8()
  switch (code) {
    case CODES.OrderPlaced:
      return orders.readOrderPlaced(r)
    case CODES.OrdersMatched:
      return orders.readOrdersMatched(r)
    case CODES.LevelChanged:
      return orders.readLevelChanged(r)
    case CODES.OrderCanceled:
      return orders.readOrderCanceled(r)
    case CODES.OrderTriggered:
      return orders.readOrderTriggered(r)
    case CODES.OrderActivated:
      return orders.readOrderActivated(r)
    case CODES.OrderDecremented:
      return { ...orders.readOrderLowered(r), kind: 'OrderDecremented' }
    case CODES.OrderAmended:
      return { ...orders.readOrderLowered(r), kind: 'OrderAmended', remaining: r.uint() as Lots }
    case CODES.ExternalTransfer:
      return readExternalTransfer(r)
    case CODES.BalanceMoved:
      return { kind: 'BalanceMoved', accountId: r.uint() as AccountId, assetId: r.uint() as AssetId }
    case CODES.AssetChanged:
      return { kind: 'AssetChanged', asset: record.readAsset(r) }
    case CODES.SymbolChanged:
      return { kind: 'SymbolChanged', symbol: record.readSymbol(r) }
    case CODES.AccountCreated:
      return { kind: 'AccountCreated', account: record.readAccount(r) }
    case CODES.ApiKeyChanged:
      return { kind: 'ApiKeyChanged', apiKey: readApiKey(r) }
    case CODES.AccountChanged:
      return { kind: 'AccountChanged', account: record.readAccount(r) }
    case CODES.FeeTierChanged:
      return { kind: 'FeeTierChanged', feeTier: backOffice.readFeeTier(r) }
    case CODES.AdminTokenChanged:
      return { kind: 'AdminTokenChanged', token: backOffice.readAdminToken(r) }
    case CODES.AddressBanned:
      return { kind: 'AddressBanned', ban: backOffice.readAddressBan(r) }
    case CODES.BanLifted:
      return { kind: 'BanLifted', address: r.text() }
    case CODES.ApprovalChanged:
      return {
        kind: 'ApprovalChanged',
        approval: backOffice.readApproval(r),
        state: readWord(r, APPROVAL_STATES),
      }
    case CODES.RulesVersionChanged:
      return { kind: 'RulesVersionChanged', version: readRulesVersion(r) }
    case CODES.PhasesChanged:
      return { kind: 'PhasesChanged', phases: readPhases(r) }
    default: {
      const event = readRightsEvent(code, r) ?? readWithdrawalEvent(code, r)
      if (event === undefined) throw new BytesFault(`unknown event code ${code} at byte ${r.at - 1}`)
      return event
    }
  }
}

function writeExternalTransfer(w: ByteWriter, e: E.ExternalTransfer): void {
  w.uint(e.accountId)
  w.uint(e.assetId)
  w.whole(e.amount)
  w.text(e.reference)
}

function readExternalTransfer(r: ByteReader): E.ExternalTransfer {
  return {
    kind: 'ExternalTransfer',
    accountId: r.uint() as AccountId,
    assetId: r.uint() as AssetId,
    amount: r.whole() as Amount,
    reference: r.text(),
  }
}
