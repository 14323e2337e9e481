/** Views of the state as bytes, sent from the engine's thread to the thread that requested them. */

import { type ByteReader, BytesFault, type ByteWriter } from '../../units/bytes.ts'
import { readList, writeList } from '../../units/field-codec.ts'
import type { Seq, TimeMs } from '../../units/quantities.ts'
import { type ByteCodec, listOf, object, own, uint } from '../../units/shapes/shape.ts'
import { byteCodec } from '../../units/shapes/shape-bytes.ts'
import { isAsked } from '../ledger/asked-withdrawals.ts'
import { WITHDRAWAL } from '../ledger/withdrawals.ts'
import * as backOffice from '../records/back-office-codec.ts'
import { readHandling, writeHandling } from '../records/handling-codec.ts'
import { ACCOUNT, ASSET, SYMBOL } from '../records/record-codec.ts'
import { RULES_IN_FORCE } from '../records/rules-codec.ts'
import { EXCHANGE_PHASES_RECORD } from '../registry/records.ts'
import { API_KEYS } from '../registry/records-codec.ts'
import { hasRights, readRights, writeRights } from './rights-view-codec.ts'
import {
  type Approval,
  BALANCE,
  type BackOfficeRecords,
  BOOK_VIEW,
  type Bootstrap,
  OPEN_ORDER,
} from './view.ts'
import { readAskedOf, withAsked, withHandlings, writeAskedOf } from './withdrawals-view-codec.ts'

export const { write: writeOpenOrders, read: readOpenOrders } = byteCodec(listOf(OPEN_ORDER))
export const { write: writeBalances, read: readBalances } = byteCodec(listOf(BALANCE))
const PHASES = byteCodec(EXCHANGE_PHASES_RECORD)

const REGISTRY_AND_BOOKS = byteCodec(
  object({
    seq: uint<Seq>(),
    time: uint<TimeMs>(),
    rulesVersion: RULES_IN_FORCE,
    assets: listOf(ASSET),
    symbols: listOf(SYMBOL),
    accounts: listOf(ACCOUNT),
    apiKeys: listOf(own(API_KEYS)),
    books: listOf(BOOK_VIEW),
  }),
)

const BACK_OFFICE: ByteCodec<BackOfficeRecords> = byteCodec(
  object({
    feeTiers: listOf(own(backOffice.FEE_TIERS)),
    tokens: listOf(own(backOffice.ADMIN_TOKENS)),
    bans: listOf(own(backOffice.BANS)),
    withdrawals: listOf(WITHDRAWAL),
    approvals: listOf(own<Approval>({ write: backOffice.writeApproval, read: backOffice.readApproval })),
  }),
)

/** Bits of the optional fields after a state. */
const HAS_BACK_OFFICE = 1
const HAS_PHASES = 2
/** Pending withdrawals are followed by the additional fields of those that traders requested. */
const HAS_ASKED = 4
const HAS_RIGHTS = 8
const HAS_HANDLINGS = 16

export function writeBootstrap(w: ByteWriter, bootstrap: Bootstrap): void {
  REGISTRY_AND_BOOKS.write(w, bootstrap)
  const { backOffice, phases } = bootstrap
  const asked = (backOffice?.withdrawals ?? []).filter(isAsked)
  // Without phases, withdrawals of traders and rights, the bytes are those of builds that do not support
  // these.
  w.u8(
    (backOffice === undefined ? 0 : HAS_BACK_OFFICE) |
      (phases === undefined ? 0 : HAS_PHASES) |
      (asked.length === 0 ? 0 : HAS_ASKED) |
      (hasRights(backOffice) ? HAS_RIGHTS : 0) |
      (backOffice?.handlings === undefined ? 0 : HAS_HANDLINGS),
  )
  if (backOffice !== undefined) BACK_OFFICE.write(w, backOffice)
  if (phases !== undefined) PHASES.write(w, phases)
  if (asked.length > 0) writeList(w, asked, writeAskedOf)
  if (backOffice !== undefined && hasRights(backOffice)) writeRights(w, backOffice)
  if (backOffice?.handlings !== undefined) writeList(w, backOffice.handlings, writeHandling)
}

export function readBootstrap(r: ByteReader): Bootstrap {
  const state = REGISTRY_AND_BOOKS.read(r)
  const has = r.u8()
  if (has > (HAS_BACK_OFFICE | HAS_PHASES | HAS_ASKED | HAS_RIGHTS | HAS_HANDLINGS))
    throw new BytesFault(`unknown parts ${has} of a state before byte ${r.at}`)
  const plain = has & HAS_BACK_OFFICE ? BACK_OFFICE.read(r) : undefined
  const phases = has & HAS_PHASES ? PHASES.read(r) : undefined
  const asked = has & HAS_ASKED ? withAsked(plain, readList(r, readAskedOf), r) : plain
  if (has & HAS_RIGHTS && asked === undefined)
    throw new BytesFault(`rights without operators' data before byte ${r.at}`)
  const withRights = has & HAS_RIGHTS && asked !== undefined ? readRights(r, asked) : asked
  const backOffice =
    has & HAS_HANDLINGS ? withHandlings(withRights, readList(r, readHandling), r) : withRights
  return {
    ...state,
    ...(backOffice === undefined ? {} : { backOffice }),
    ...(phases === undefined ? {} : { phases }),
  }
}
