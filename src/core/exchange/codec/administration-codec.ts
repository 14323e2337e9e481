/**
 * Commands of operators on what is there already, as bytes. Each begins with who gave it and why. The rules of these
 * formats stand in `command-codec.ts`.
 */
import type { ByteReader, ByteWriter } from '../../../units/bytes.ts'
import { readList, readWord, writeList, writeWord } from '../../../units/field-codec.ts'
import type { AccountId } from '../../../units/ids.ts'
import { unreachable } from '../../../units/invariant.ts'
import { ADMIN_ROLES } from '../../../units/operator-words.ts'
import { PERMISSIONS, SELF_TRADE_MODES } from '../../../units/order-words.ts'
import type { Amount, Lots, Price, Rate, TimeMs } from '../../../units/quantities.ts'
import { readRestrictions, restrictionMask } from '../../registry/amendments-codec.ts'
import type { Command } from '../command.ts'
import type { Administration } from '../operators/administration.ts'
import { readOperator, writeOperator } from './operator-command-codec.ts'

type Kind = Administration['kind']
type Of<K extends Kind> = Extract<Administration, { kind: K }>

/** Codes of these commands; part of `COMMAND_CODES`. */
export const ADMINISTRATION_CODES = {
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
} as const satisfies Record<Kind, number>

const KIND_BY_CODE = new Map<number, Kind>(
  (Object.keys(ADMINISTRATION_CODES) as Kind[]).map((kind) => [ADMINISTRATION_CODES[kind], kind]),
)

/** The command that a code stands for; undefined when it stands for none of these. */
export function administrationKind(code: number): Kind | undefined {
  return KIND_BY_CODE.get(code)
}

/** True for the commands that are coded here. */
export function isAdministration(command: Command): command is Administration {
  return Object.hasOwn(ADMINISTRATION_CODES, command.kind)
}

/** Appends all of `c` but its code. */
export function writeAdministration(w: ByteWriter, c: Administration): void {
  writeOperator(w, c.operator)
  switch (c.kind) {
    case 'SetAccountRestrictions':
    case 'CloseAccount':
    case 'SetAccountTerms':
      writeAccountChange(w, c)
      break
    case 'CancelOrders':
      writeCancelOrders(w, c)
      break
    case 'SetAssetTerms':
      writeAssetTerms(w, c)
      break
    case 'SetSymbolTerms':
      writeSymbolAmendment(w, c)
      break
    case 'SetFeeTier':
      w.text(c.name)
      w.uint(c.makerShare)
      w.uint(c.takerShare)
      break
    case 'HoldWithdrawal':
    case 'MoveSavings':
    case 'PayOutCommission':
      writeMoney(w, c)
      break
    case 'CompleteWithdrawal':
    case 'CancelWithdrawal':
    case 'Approve':
    case 'Reject':
      w.text(c.reference)
      break
    case 'SetApiKeyTerms':
    case 'RotateApiKey':
    case 'RevokeApiKey':
      writeKeyChange(w, c)
      break
    case 'AddAdminToken':
      w.text(c.name)
      writeWord(w, ADMIN_ROLES, c.role)
      w.bytes(c.digest)
      break
    case 'RevokeAdminToken':
      w.text(c.name)
      break
    case 'BanAddress':
      w.text(c.address)
      w.uint(c.until)
      break
    case 'LiftBan':
      w.text(c.address)
      break
    case 'ResealSecret':
      w.text(c.apiKey)
      w.bytes(c.from)
      w.bytes(c.to)
      break
    default:
      unreachable(c)
  }
}

/** Reads what `writeAdministration` wrote of a command of this kind. */
export function readAdministration(r: ByteReader, kind: Kind): Administration {
  const operator = readOperator(r)
  switch (kind) {
    case 'SetAccountRestrictions':
      return { kind, operator, accountId: r.uint() as AccountId, restrictions: readRestrictions(r) }
    case 'CloseAccount':
      return { kind, operator, accountId: r.uint() as AccountId }
    case 'SetAccountTerms':
      return { kind, operator, accountId: r.uint() as AccountId, feeTier: r.text(), openOrdersMax: r.uint() }
    case 'CancelOrders':
      return { kind, operator, ...readCancelOrders(r) }
    case 'SetAssetTerms':
      return { kind, operator, ...readAssetTerms(r) }
    case 'SetSymbolTerms':
      return { kind, operator, ...readSymbolAmendment(r) }
    case 'SetFeeTier':
      return {
        kind,
        operator,
        name: r.text(),
        makerShare: r.uint() as Rate,
        takerShare: r.uint() as Rate,
      }
    case 'HoldWithdrawal':
      return { kind, operator, accountId: r.uint() as AccountId, ...readMoney(r) }
    case 'MoveSavings':
      return { kind, operator, isDeposit: r.bool(), accountId: r.uint() as AccountId, ...readMoney(r) }
    case 'PayOutCommission':
      return { kind, operator, ...readMoney(r) }
    case 'CompleteWithdrawal':
    case 'CancelWithdrawal':
    case 'Approve':
    case 'Reject':
      return { kind, operator, reference: r.text() }
    case 'SetApiKeyTerms':
      return { kind, operator, apiKey: r.text(), ...readApiKeyTerms(r) }
    case 'RotateApiKey':
      // The state keeps the secret: a view would keep the whole batch in memory with it.
      return {
        kind,
        operator,
        apiKey: r.text(),
        sealedSecret: r.bytes().slice(),
        previousUntil: r.uint() as TimeMs,
      }
    case 'RevokeApiKey':
      return { kind, operator, apiKey: r.text() }
    case 'AddAdminToken':
      return { kind, operator, name: r.text(), role: readWord(r, ADMIN_ROLES), digest: r.bytes().slice() }
    case 'RevokeAdminToken':
      return { kind, operator, name: r.text() }
    case 'BanAddress':
      return { kind, operator, address: r.text(), until: r.uint() as TimeMs }
    case 'LiftBan':
      return { kind, operator, address: r.text() }
    case 'ResealSecret':
      return { kind, operator, apiKey: r.text(), from: r.bytes().slice(), to: r.bytes().slice() }
  }
}

function writeAccountChange(
  w: ByteWriter,
  c: Of<'SetAccountRestrictions' | 'CloseAccount' | 'SetAccountTerms'>,
): void {
  w.uint(c.accountId)
  if (c.kind === 'SetAccountRestrictions') w.u8(restrictionMask(c.restrictions))
  else if (c.kind === 'SetAccountTerms') {
    w.text(c.feeTier)
    w.uint(c.openOrdersMax)
  }
}

function writeCancelOrders(w: ByteWriter, c: Of<'CancelOrders'>): void {
  w.bool(c.accountId !== undefined)
  if (c.accountId !== undefined) w.uint(c.accountId)
  w.bool(c.symbol !== undefined)
  if (c.symbol !== undefined) w.text(c.symbol)
}

function readCancelOrders(r: ByteReader): Pick<Of<'CancelOrders'>, 'accountId' | 'symbol'> {
  const accountId = r.bool() ? (r.uint() as AccountId) : undefined
  return { accountId, symbol: r.bool() ? r.text() : undefined }
}

function writeAssetTerms(w: ByteWriter, c: Of<'SetAssetTerms'>): void {
  w.text(c.code)
  w.text(c.name)
  w.bigint(c.supplyCap)
  w.bigint(c.creditMax)
  w.bigint(c.approvalAbove)
}

function readAssetTerms(r: ByteReader): Omit<Of<'SetAssetTerms'>, 'kind' | 'operator'> {
  return {
    code: r.text(),
    name: r.text(),
    supplyCap: r.bigint() as Amount,
    creditMax: r.bigint() as Amount,
    approvalAbove: r.bigint() as Amount,
  }
}

function writeSymbolAmendment(w: ByteWriter, c: Of<'SetSymbolTerms'>): void {
  w.text(c.symbol)
  w.bigint(c.minTotal)
  w.uint(c.minQuantity)
  writeWord(w, SELF_TRADE_MODES, c.selfTradeMode)
  w.uint(c.openOrdersMax)
  w.uint(c.levelsMax)
  w.uint(c.minPrice)
  w.uint(c.maxPrice)
}

function readSymbolAmendment(r: ByteReader): Omit<Of<'SetSymbolTerms'>, 'kind' | 'operator'> {
  return {
    symbol: r.text(),
    minTotal: r.bigint() as Amount,
    minQuantity: r.uint() as Lots,
    selfTradeMode: readWord(r, SELF_TRADE_MODES),
    openOrdersMax: r.uint(),
    levelsMax: r.uint(),
    minPrice: r.uint() as Price,
    maxPrice: r.uint() as Price,
  }
}

function writeMoney(w: ByteWriter, c: Of<'HoldWithdrawal' | 'MoveSavings' | 'PayOutCommission'>): void {
  if (c.kind === 'MoveSavings') w.bool(c.isDeposit)
  if (c.kind !== 'PayOutCommission') w.uint(c.accountId)
  w.text(c.asset)
  w.bigint(c.amount)
  w.text(c.reference)
}

function readMoney(r: ByteReader) {
  return { asset: r.text(), amount: r.bigint() as Amount, reference: r.text() }
}

function writeKeyChange(w: ByteWriter, c: Of<'SetApiKeyTerms' | 'RotateApiKey' | 'RevokeApiKey'>): void {
  w.text(c.apiKey)
  if (c.kind === 'RotateApiKey') {
    w.bytes(c.sealedSecret)
    w.uint(c.previousUntil)
  } else if (c.kind === 'SetApiKeyTerms') {
    writeList(w, c.permissions, (w, permission) => writeWord(w, PERMISSIONS, permission))
    writeList(w, c.addresses, (w, address) => w.text(address))
    w.text(c.label)
    w.uint(c.expiresAt)
  }
}

function readApiKeyTerms(r: ByteReader) {
  return {
    permissions: readList(r, (r) => readWord(r, PERMISSIONS)),
    addresses: readList(r, (r) => r.text()),
    label: r.text(),
    expiresAt: r.uint() as TimeMs,
  }
}
