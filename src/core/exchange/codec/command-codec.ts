/**
 * Commands as bytes: the journal's format for ever. A command is its code and its fields, in a fixed order.
 *
 * A code's shape never changes and a code is never given to anything else. A new optional field of an order
 * is a new bit of its presence bitmap; any other change is a new code beside the old one, which stays readable.
 * Only form is checked here, not the rules: whatever was journaled must be readable, so that the core can
 * refuse it the same way again. Unknown codes, bits and words are a `BytesFault`, never a guess.
 */
import { type ByteReader, BytesFault, type ByteWriter } from '../../../units/bytes.ts'
import type { Command, CommandKind } from '../command.ts'
import {
  ADMINISTRATION_CODES,
  administrationKind,
  readAdministration,
  writeAdministration,
} from './administration-codec.ts'
import * as operator from './operator-command-codec.ts'
import { readCancelOrder, readPlaceOrder, writeCancelOrder, writePlaceOrder } from './order-command-codec.ts'

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
  ...ADMINISTRATION_CODES,
} as const satisfies Record<CommandKind, number>)

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
    case 'Credit':
    case 'Debit':
      operator.writeTransfer(w, command)
      break
    case 'MoveBetweenBuckets':
      operator.writeMoveBetweenBuckets(w, command)
      break
    case 'ListAsset':
      operator.writeListAsset(w, command)
      break
    case 'SetAssetFlags':
      operator.writeSetAssetFlags(w, command)
      break
    case 'ListSymbol':
      operator.writeListSymbol(w, command)
      break
    case 'SetSymbolState':
      operator.writeSetSymbolState(w, command)
      break
    case 'SetSymbolRates':
      operator.writeSetSymbolRates(w, command)
      break
    case 'CreateAccount':
      operator.writeCreateAccount(w, command)
      break
    case 'CreateApiKey':
      operator.writeCreateApiKey(w, command)
      break
    case 'SetApiKeyEnabled':
      operator.writeSetApiKeyEnabled(w, command)
      break
    case 'SetRulesVersion':
      operator.writeSetRulesVersion(w, command)
      break
    default:
      writeAdministration(w, command)
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
    case COMMAND_CODES.Credit:
      return operator.readTransfer(r, 'Credit')
    case COMMAND_CODES.Debit:
      return operator.readTransfer(r, 'Debit')
    case COMMAND_CODES.MoveBetweenBuckets:
      return operator.readMoveBetweenBuckets(r)
    case COMMAND_CODES.ListAsset:
      return operator.readListAsset(r)
    case COMMAND_CODES.SetAssetFlags:
      return operator.readSetAssetFlags(r)
    case COMMAND_CODES.ListSymbol:
      return operator.readListSymbol(r)
    case COMMAND_CODES.SetSymbolState:
      return operator.readSetSymbolState(r)
    case COMMAND_CODES.SetSymbolRates:
      return operator.readSetSymbolRates(r)
    case COMMAND_CODES.CreateAccount:
      return operator.readCreateAccount(r)
    case COMMAND_CODES.CreateApiKey:
      return operator.readCreateApiKey(r)
    case COMMAND_CODES.SetApiKeyEnabled:
      return operator.readSetApiKeyEnabled(r)
    case COMMAND_CODES.SetRulesVersion:
      return operator.readSetRulesVersion(r)
  }
  const kind = administrationKind(code)
  if (kind === undefined) throw new BytesFault(`unknown command code ${code} at byte ${r.at - 1}`)
  return readAdministration(r, kind)
}
