/** Withdrawals that traders request, and the addresses of accounts, in words. */

import { isoTime } from '../../contract/time.ts'
import type {
  AddressChange,
  AskWithdrawal,
  RetractWithdrawal,
  SetOwnAddress,
} from '../../core/commands/withdrawals.ts'
import type { AskedTerms } from '../../core/ledger/asked-terms.ts'
import type { WithdrawalAddress } from '../../core/ledger/withdrawal-addresses.ts'
import { type Fields, unitsText } from './fields.ts'
import type { Names } from './names.ts'

export function withdrawalCommandFields(
  command: AskWithdrawal | RetractWithdrawal | SetOwnAddress,
  names: Names,
): Fields {
  switch (command.kind) {
    case 'AskWithdrawal': {
      const { accountId, asset, amount, address, tag, withdrawOrderId } = command
      return {
        account: names.account(accountId),
        asset,
        amount: unitsText(amount, names.assetByCode(asset)?.fraction),
        address,
        tag: textOrNone(tag),
        withdrawOrderId,
      }
    }
    case 'RetractWithdrawal': {
      const { accountId, name } = command
      const named =
        name.kind === 'ID' ? { reference: name.reference } : { withdrawOrderId: name.withdrawOrderId }
      return { account: names.account(accountId), ...named }
    }
    case 'SetOwnAddress':
      return addressFields(command, names)
  }
}

/** An address that is added or removed. */
export function addressFields(change: AddressChange, names: Names): Fields {
  const { accountId, asset, address, tag, isAllowed, label } = change
  return {
    account: names.account(accountId),
    asset,
    address,
    tag: textOrNone(tag),
    label: textOrNone(label),
    allowed: isAllowed,
  }
}

export function addressEventFields(
  { accountId, assetId, address, tag, usableAt }: WithdrawalAddress,
  isAllowed: boolean,
  names: Names,
): Fields {
  return {
    account: names.account(accountId),
    asset: names.asset(assetId)?.code ?? `asset ${assetId}`,
    address,
    tag: textOrNone(tag),
    allowed: isAllowed,
    usableAt: isAllowed ? isoTime(usableAt) : undefined,
  }
}

/** Additional fields of a withdrawal that its trader has requested. */
export function askedFields({ address, tag, withdrawOrderId, claimedAt, end }: AskedTerms): Fields {
  return {
    address,
    tag: textOrNone(tag),
    withdrawOrderId,
    claimedAt: claimedAt === undefined ? undefined : isoTime(claimedAt),
    canceledBy: end?.canceledBy,
    reason: textOrNone(end?.reason ?? ''),
  }
}

function textOrNone(text: string): string | undefined {
  return text === '' ? undefined : text
}
