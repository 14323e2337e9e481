/** Requests about the wallet that clients send before their first order. */
import { plainDecimal } from '../../../units/decimal.ts'
import type { Whole } from '../../../units/whole.ts'
import type { WireAnswer, WireCall } from '../wire-call.ts'

/**
 * Assets with the account's balances. Withdrawals are not possible on this wire, so there are no networks.
 */
export async function allCoins({ call }: WireCall): Promise<WireAnswer> {
  const { engine, market } = call.services
  const balances = await engine.ask('balances', { accountId: call.accountId })
  return JSON.stringify(
    balances.flatMap(({ assetId, free, locked, freeze }) => {
      const asset = market.registry.asset(assetId)
      if (asset === undefined) return []
      const { code, name, fraction, isTrade, isDeposit } = asset
      const text = (units: Whole): string => plainDecimal(units, fraction)
      return [
        {
          ...{ coin: code, name, trading: isTrade, depositAllEnable: isDeposit, withdrawAllEnable: false },
          ...{ free: text(free), locked: text(locked), freeze: text(freeze), withdrawing: '0' },
          ...{ ipoing: '0', ipoable: '0', storage: '0', isLegalMoney: false, networkList: [] },
        },
      ]
    }),
  )
}

export const systemStatus = (): WireAnswer => '{"status":0,"msg":"normal"}'

/** There is no margin trading, so there are no pairs for it. */
export const noPairs = (): WireAnswer => '[]'
