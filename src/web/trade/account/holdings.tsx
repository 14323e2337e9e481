/** Balances with their value. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PriceTicker } from '../../../client/interface/answers.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { Trader } from '../state/trader.ts'
import { worthOf } from '../state/worth.ts'
import { ScrollBox } from './scroll-box.tsx'

const PRICES_EVERY_MS = 10_000

export function Balances({ trader, quoteCode }: { readonly trader: Trader; readonly quoteCode: string }) {
  const prices = useSignal<readonly PriceTicker[]>([])
  const isLive = trader.account.isLive.value
  useEffect(() => {
    // What is not known now has no value: an old one is not shown as if it were.
    prices.value = []
    if (!isLive) return
    const stop = new AbortController()
    const ask = () => {
      trader.prices(stop.signal).then(
        (found) => {
          if (!stop.signal.aborted) prices.value = found
        },
        () => {
          if (!stop.signal.aborted) prices.value = []
        },
      )
    }
    ask()
    const timer = setInterval(ask, PRICES_EVERY_MS)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [trader, isLive])
  const { balances: words } = TEXTS
  const balances = [...trader.account.balances.value.values()]
  return (
    <section class="trade-balances" aria-label={words.title}>
      <h3>{words.title}</h3>
      {balances.length === 0 ? (
        <p class="trade-none">{isLive ? words.none : '…'}</p>
      ) : (
        <Table
          heads={[words.asset, words.free, words.locked, words.value(quoteCode)]}
          rows={balances.map((balance) => [
            balance.asset,
            balance.free,
            balance.locked,
            worthOf(balance, quoteCode, prices.value)?.toString() ?? '–',
          ])}
        />
      )}
    </section>
  )
}

type TableProps = {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function Table({ heads, rows }: TableProps) {
  return (
    <ScrollBox>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}
