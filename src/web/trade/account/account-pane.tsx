/** The account's tabs: state and history. */
import { computed, type ReadonlySignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { TEXTS } from '../../shared/texts/texts.ts'
import { pagePointer } from '../view/page-pointer.ts'
import type { AccountProps } from './account-props.ts'
import { type Alerts, useAlerts } from './alerts.ts'
import { Balances } from './balances.tsx'
import { FillHistory } from './history/fill-history.tsx'
import { historiesOf } from './history/histories.ts'
import { LedgerHistory } from './history/ledger-history.tsx'
import { OrderHistory } from './history/order-history.tsx'
import { KeptChoice } from './kept-choice.ts'
import { NoticePanel } from './notice-panel.tsx'
import { OpenOrders } from './orders/open-orders.tsx'
import { Portfolio } from './portfolio.tsx'
import { Tabs } from './tabs.tsx'
import { countHeld } from './worth.ts'

const TABS = ['OPEN_ORDERS', 'ORDERS', 'FILLS', 'LEDGER', 'BALANCES', 'PORTFOLIO', 'NOTICES'] as const

type TabId = (typeof TABS)[number]

export function AccountPane(props: AccountProps) {
  const { account } = props.trader
  const chosen = useMemo(() => new KeptChoice<TabId>('bourse-account-tab', 'OPEN_ORDERS', isTab), [])
  const alerts = useAlerts(props.trading.notices)
  const counts = useMemo(
    (): { readonly [Id in TabId]?: ReadonlySignal<number> } => ({
      OPEN_ORDERS: computed(() => account.orders.value.length),
      BALANCES: computed(() => countHeld(account.balances.value.values())),
    }),
    [account],
  )
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
        <Panel {...props} tab={chosen.value} alerts={alerts} />
      </Tabs>
    </section>
  )
}

function Panel({ tab, alerts, ...props }: AccountProps & { readonly tab: TabId; readonly alerts: Alerts }) {
  const { trader, market } = props
  const { account, requests } = trader
  // Loaded pages, and a file that is being written, are kept when the user switches tabs.
  const histories = useMemo(() => historiesOf(requests, () => pagePointer().untilReleased()), [requests])
  useEffect(
    () => () => {
      for (const history of Object.values(histories)) history.close()
    },
    [histories],
  )
  const listed = props.trading.markets.value
  const markets = listed.length > 0 ? listed : [market]
  const parts = { account, requests, histories, markets }
  switch (tab) {
    case 'OPEN_ORDERS':
      return <OpenOrders {...props} />
    case 'ORDERS':
      return <OrderHistory {...parts} />
    case 'FILLS':
      return <FillHistory {...parts} />
    case 'LEDGER':
      return <LedgerHistory {...parts} />
    case 'NOTICES':
      return <NoticePanel notices={props.trading.notices} alerts={alerts} />
    case 'BALANCES':
      return <Balances trader={trader} quoteCode={market.quoteCode} markets={markets} />
    case 'PORTFOLIO':
      return <Portfolio trader={trader} market={market} markets={markets} />
  }
}

function isTab(kept: unknown): kept is TabId {
  return TABS.some((id) => id === kept)
}
