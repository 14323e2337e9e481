/** The panes of a customer who is signed in, each behind its tab. */
import { useSignal } from '@preact/signals'
import { Tabs } from '../../account/tabs.tsx'
import { HistoryPane } from './history-pane.tsx'
import { paneTexts } from './pane-texts.ts'
import type { PanesState } from './panes-state.ts'
import { SecurityPane } from './security-pane.tsx'
import { SessionsPane } from './sessions-pane.tsx'

const PANES = { sessions: SessionsPane, history: HistoryPane, security: SecurityPane } as const

type PaneId = keyof typeof PANES

export function AccountPanes({ panes }: { readonly panes: PanesState }) {
  const chosen = useSignal<PaneId>('sessions')
  const { title, tabs } = paneTexts()
  const Pane = PANES[chosen.value]
  return (
    <Tabs
      label={title}
      tabs={(Object.keys(PANES) as PaneId[]).map((id) => ({ id, title: tabs[id] }))}
      chosen={chosen.value}
      onChoice={(id) => {
        panes.done.value = ''
        panes.problem.value = ''
        chosen.value = id
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard */}
      <div class="account-scroll" tabIndex={0}>
        <Pane panes={panes} />
        {panes.problem.value !== '' && (
          <p class="trade-problem" role="alert">
            {panes.problem.value}
          </p>
        )}
      </div>
    </Tabs>
  )
}
