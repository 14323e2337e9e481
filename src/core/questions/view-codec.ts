/**
 * Views of the state as bytes, to cross from the engine's thread to the thread that asked.
 */

import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, writeList } from '../../units/field-codec.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { listOf } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { isAsked } from '../ledger/asked-withdrawals.ts'
import { readWithdrawal, writeWithdrawal } from '../ledger/withdrawals.ts'
import * as backOffice from '../records/back-office-codec.ts'
import { readHandling, writeHandling } from '../records/handling-codec.ts'
import { readPhases, writePhases } from '../records/phases-codec.ts'
import * as record from '../records/record-codec.ts'
import { readRulesVersion } from '../records/rules-codec.ts'
import { readApiKey, writeApiKey } from '../registry/records-codec.ts'
import { hasRights, readRights, writeRights } from './rights-view-codec.ts'
import { BALANCE, type BackOfficeRecords, BOOK_VIEW, type Bootstrap, OPEN_ORDER } from './view.ts'
import { readAskedOf, withAsked, withHandlings, writeAskedOf } from './withdrawals-view-codec.ts'

export const { write: writeOpenOrders, read: readOpenOrders } = byteCodec(listOf(OPEN_ORDER))
export const { write: writeBalances, read: readBalances } = byteCodec(listOf(BALANCE))
const BOOK = byteCodec(BOOK_VIEW)

/** Bits of the optional fields after a state. */
const HAS_BACK_OFFICE = 1
const HAS_PHASES = 2
/** Pending withdrawals are followed by their traders' requests. */
const HAS_ASKED = 4
const HAS_RIGHTS = 8
const HAS_HANDLINGS = 16

export function writeBootstrap(w: ByteWriter, bootstrap: Bootstrap): void {
  w.uint(bootstrap.seq)
  w.uint(bootstrap.time)
  w.uint(bootstrap.rulesVersion)
  writeList(w, bootstrap.assets, record.writeAsset)
  writeList(w, bootstrap.symbols, record.writeSymbol)
  writeList(w, bootstrap.accounts, record.writeAccount)
  writeList(w, bootstrap.apiKeys, writeApiKey)
  writeList(w, bootstrap.books, BOOK.write)
  const { backOffice, phases } = bootstrap
  const asked = (backOffice?.withdrawals ?? []).filter(isAsked)
  // Without phases, withdrawals of traders and rights, the bytes are those of builds that do not support
  // them.
  w.u8(
    (backOffice === undefined ? 0 : HAS_BACK_OFFICE) |
      (phases === undefined ? 0 : HAS_PHASES) |
      (asked.length === 0 ? 0 : HAS_ASKED) |
      (hasRights(backOffice) ? HAS_RIGHTS : 0) |
      (backOffice?.handlings === undefined ? 0 : HAS_HANDLINGS),
  )
  if (backOffice !== undefined) writeBackOffice(w, backOffice)
  if (phases !== undefined) writePhases(w, phases)
  if (asked.length > 0) writeList(w, asked, writeAskedOf)
  if (backOffice !== undefined && hasRights(backOffice)) writeRights(w, backOffice)
  if (backOffice?.handlings !== undefined) writeList(w, backOffice.handlings, writeHandling)
}

export function readBootstrap(r: ByteReader): Bootstrap {
  const state = readRegistryAndBooks(r)
  const has = r.u8()
  if (has > (HAS_BACK_OFFICE | HAS_PHASES | HAS_ASKED | HAS_RIGHTS | HAS_HANDLINGS))
    throw new BytesFault(`unknown parts ${has} of a state before byte ${r.at}`)
  const plain = has & HAS_BACK_OFFICE ? readBackOffice(r) : undefined
  const phases = has & HAS_PHASES ? readPhases(r) : undefined
  const asked = has & HAS_ASKED ? withAsked(plain, readList(r, readAskedOf), r) : plain
  if (has & HAS_RIGHTS && asked === undefined)
    throw new BytesFault(`rights of no operators before byte ${r.at}`)
  const withRights = has & HAS_RIGHTS && asked !== undefined ? readRights(r, asked) : asked
  const backOffice =
    has & HAS_HANDLINGS ? withHandlings(withRights, readList(r, readHandling), r) : withRights
  return {
    ...state,
    ...(backOffice === undefined ? {} : { backOffice }),
    ...(phases === undefined ? {} : { phases }),
  }
}

function readRegistryAndBooks(r: ByteReader): Omit<Bootstrap, 'backOffice' | 'phases'> {
  return {
    seq: r.uint() as Seq,
    time: r.uint() as TimeMs,
    rulesVersion: readRulesVersion(r),
    assets: readList(r, record.readAsset),
    symbols: readList(r, record.readSymbol),
    accounts: readList(r, record.readAccount),
    apiKeys: readList(r, readApiKey),
    books: readList(r, BOOK.read),
  }
}

function writeBackOffice(w: ByteWriter, view: BackOfficeRecords): void {
  writeList(w, view.feeTiers, backOffice.writeFeeTier)
  writeList(w, view.tokens, backOffice.writeAdminToken)
  writeList(w, view.bans, backOffice.writeAddressBan)
  writeList(w, view.withdrawals, writeWithdrawal)
  writeList(w, view.approvals, backOffice.writeApproval)
}

function readBackOffice(r: ByteReader): BackOfficeRecords {
  return {
    feeTiers: readList(r, backOffice.readFeeTier),
    tokens: readList(r, backOffice.readAdminToken),
    bans: readList(r, backOffice.readAddressBan),
    withdrawals: readList(r, readWithdrawal),
    approvals: readList(r, backOffice.readApproval),
  }
}
