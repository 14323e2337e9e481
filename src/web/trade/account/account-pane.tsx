/** What the account has and has done, in tabs. */
import { useMemo } from 'preact/hooks'
import { KeptChoice } from '../state/kept-choice.ts'
import { TEXTS } from '../texts.ts'
import type { AccountProps } from './account-props.ts'
import { Balances, Fills } from './holdings.tsx'
import { OpenOrders } from './open-orders.tsx'
import { Tabs } from './tabs.tsx'

const TABS = ['OPEN_ORDERS', 'FILLS', 'BALANCES'] as const

type TabId = (typeof TABS)[number]

export function AccountPane({ desk, trader, market }: AccountProps) {
  const chosen = useMemo(() => new KeptChoice<TabId>('bourse-account-tab', 'OPEN_ORDERS', isTab), [])
  const { account } = trader
  const counts: { readonly [Id in TabId]?: number } = {
    OPEN_ORDERS: account.orders.value.length,
    BALANCES: account.balances.value.size,
  }
  return (
    <section class="account" aria-label={TEXTS.account.title}>
      <Tabs
        label={TEXTS.account.title}
        tabs={TABS.map((id) => ({ id, title: TEXTS.account.tabs[id], count: counts[id] }))}
        chosen={chosen.value}
        onChoice={(id) => {
          chosen.value = id
        }}
      >
        {chosen.value === 'OPEN_ORDERS' && <OpenOrders desk={desk} trader={trader} />}
        {chosen.value === 'FILLS' && <Fills trader={trader} />}
        {chosen.value === 'BALANCES' && <Balances trader={trader} quoteCode={market.quoteCode} />}
      </Tabs>
    </section>
  )
}

function isTab(kept: unknown): kept is TabId {
  return TABS.some((id) => id === kept)
}
