/**
 * The addresses that an account may withdraw to: list, add and remove them
 * (docs/reference/withdrawals.md#addresses).
 */

import {
  addressAllowedBody,
  addressesBody,
  addressRemovedBody,
  orAbsent,
  type ShownAddress,
} from '../../../../contract/api/withdrawals.ts'
import type { WithdrawalAddress } from '../../../../core/ledger/withdrawal-addresses.ts'
import type { Asset } from '../../../../core/registry/records.ts'
import { invariant } from '../../../../units/invariant.ts'
import type { RegistryView } from '../../../../views/registry.ts'
import { Refusal } from '../../../common/refusal.ts'
import type { Answer, Call, Outcome } from '../../call.ts'
import { operationOf } from '../../operation.ts'
import { readCoin, readDestination, readLabel, requireCoin } from '../../withdrawal-parameters.ts'

export const withdrawalAddresses = operationOf('withdrawalAddresses', addressesAnswer)

/**
 * No other endpoint has the parameters `newAddress` and `removeAddress`, so a text signed for one of the two
 * is valid for nothing else.
 */
export const addWithdrawalAddress = operationOf('addWithdrawalAddress', addAnswer)

export const removeWithdrawalAddress = operationOf('removeWithdrawalAddress', removeAnswer)

async function addressesAnswer(call: Call): Promise<Answer> {
  const asset = readCoin(call)
  if (asset instanceof Refusal) return asset
  const { accountId, services, language } = call
  const { addresses } = await services.engine.ask('accountWithdrawals', { accountId })
  const asked = addresses.filter(({ assetId }) => asset === undefined || assetId === asset.id)
  const { registry } = services.market
  return addressesBody(
    asked.map((address) => shown(address, registry)),
    language,
  )
}

function addAnswer(call: Call): Outcome {
  const asset = requireCoin(call)
  if (asset instanceof Refusal) return asset
  const label = readLabel(call)
  return label instanceof Refusal ? label : change(call, asset, 'newAddress', label)
}

function removeAnswer(call: Call): Outcome {
  const asset = requireCoin(call)
  return asset instanceof Refusal ? asset : change(call, asset, 'removeAddress', '')
}

function change(call: Call, asset: Asset, name: 'newAddress' | 'removeAddress', label: string): Outcome {
  const destination = readDestination(call, name)
  if (destination instanceof Refusal) return destination
  const { accountId, language } = call
  const isAllowed = name === 'newAddress'
  return call.handOver(
    { kind: 'SetOwnAddress', accountId, asset: asset.code, ...destination, isAllowed, label },
    (reply, body) => {
      if (reply.kind === 'AddressAllowed') {
        if (reply.repeated) call.noteRepeat()
        body.text(addressAllowedBody(reply.usableAt, language))
        return
      }
      invariant(reply.kind === 'Done', () => `expected Done in reply to SetOwnAddress, found ${reply.kind}`)
      body.text(addressRemovedBody(language))
    },
  )
}

function shown(
  { assetId, address, tag, label, addedAt, usableAt }: WithdrawalAddress,
  registry: RegistryView,
): ShownAddress {
  const asset = registry.asset(assetId)
  invariant(asset !== undefined, () => `an address has asset ${assetId}, which is not listed`)
  return {
    coin: asset.code,
    address,
    addressTag: orAbsent(tag),
    label: orAbsent(label),
    addedAt,
    usableAt,
  }
}
