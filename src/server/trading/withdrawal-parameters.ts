/**
 * The parameters of withdrawals and of their addresses (docs/reference/withdrawals.md), each refused with a
 * message of its own.
 */

import { labelForm, visibleText } from '../../contract/expectations.ts'
import type { Destination } from '../../core/commands/withdrawals.ts'
import { isDestination } from '../../core/ledger/withdrawal-addresses.ts'
import type { Asset } from '../../core/registry/records.ts'
import { AMOUNT_MAX, TEXT_MAX, WITHDRAWAL_ADDRESS_MAX, WITHDRAWAL_TAG_MAX } from '../../units/limits.ts'
import { hiddenCharacter } from '../../units/printable.ts'
import { type Amount, amount } from '../../units/quantities.ts'
import { readDecimal, readOptional, readRequired } from '../common/read.ts'
import { Refusal, refuse } from '../common/refusal.ts'
import type { Call } from './call.ts'

/** The asset named by `coin`, which must be present. */
export function requireCoin(call: Call): Asset | Refusal {
  return readCoin(call) ?? refuse('MISSING_PARAMETER', { name: 'coin' })
}

/** Like `requireCoin`, but undefined when the parameter is absent. */
export function readCoin({ parameters, services }: Call): Asset | undefined | Refusal {
  const code = readOptional(parameters, 'coin')
  if (code === undefined || code instanceof Refusal) return code
  return services.market.registry.assetByCode(code) ?? refuse('UNKNOWN_ASSET', {})
}

/** An address, under the name that the endpoint has for it, and its tag. */
export function readDestination({ parameters }: Call, name: string): Destination | Refusal {
  const address = readRequired(parameters, name)
  if (address instanceof Refusal) return address
  const tag = readOptional(parameters, 'addressTag') ?? ''
  if (tag instanceof Refusal) return tag
  if (!isDestination({ address, tag: '' }))
    return refuse('INVALID_PARAMETER', { name, expected: visibleText(1, WITHDRAWAL_ADDRESS_MAX) })
  if (!isDestination({ address, tag })) {
    const expected = visibleText(0, WITHDRAWAL_TAG_MAX)
    return refuse('INVALID_PARAMETER', { name: 'addressTag', expected })
  }
  return { address, tag }
}

export function readLabel({ parameters }: Call): string | Refusal {
  const label = readOptional(parameters, 'label') ?? ''
  if (label instanceof Refusal) return label
  // Labels are shown to other people in a terminal and on a page.
  if (label.length <= TEXT_MAX && hiddenCharacter(label) === undefined) return label
  return refuse('INVALID_PARAMETER', { name: 'label', expected: labelForm(TEXT_MAX) })
}

/** `amount` of an asset, which must be present. */
export function requireAmount({ parameters }: Call, { fraction }: Asset): Amount | Refusal {
  const units = readDecimal(parameters, 'amount', fraction, AMOUNT_MAX)
  if (units instanceof Refusal) return units
  return units === undefined ? refuse('MISSING_PARAMETER', { name: 'amount' }) : amount(units)
}
