/** The panes of a customer who is signed in, each behind its tab. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { momentText } from '../../account/history/period.ts'
import { Tabs } from '../../account/tabs.tsx'
import { DataPane } from './data-pane.tsx'
import { SecurityPane } from './factors/security-pane.tsx'
import { HistoryPane } from './history-pane.tsx'
import { KeysPane } from './keys/keys-pane.tsx'
import { paneTexts } from './pane-texts.ts'
import type { PanesState } from './panes-state.ts'
import { SessionsPane } from './sessions-pane.tsx'
import { StepUpDialog } from './step-up-dialog.tsx'

const PANES = {
  security: SecurityPane,
  keys: KeysPane,
  sessions: SessionsPane,
  history: HistoryPane,
  data: DataPane,
} as const

export type PaneId = keyof typeof PANES

type AccountPanesProps = { readonly panes: PanesState; readonly first: PaneId }

export function AccountPanes({ panes, first }: AccountPanesProps) {
  const chosen = useSignal<PaneId>(first)
  const { title, tabs } = paneTexts()
  const Pane = PANES[chosen.value]
  const scroll = useKeptFocus(panes)
  useEffect(() => void panes.load('me'), [chosen.value])
  return (
    <>
      <Tabs
        label={title}
        tabs={(Object.keys(PANES) as PaneId[]).map((id) => ({ id, title: tabs[id] }))}
        chosen={chosen.value}
        onChoice={(id) => {
          panes.clear()
          chosen.value = id
        }}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
        <div class="account-scroll" tabIndex={0} ref={scroll}>
          <Outcome panes={panes} />
          <Warning panes={panes} />
          <Pane panes={panes} />
        </div>
      </Tabs>
      <StepUpDialog stepUp={panes.stepUp} />
    </>
  )
}

/**
 * The outcome of the last action. It gets the keyboard focus, because the button of the action may have been
 * removed.
 */
function Outcome({ panes }: { readonly panes: PanesState }) {
  const done = useRef<HTMLParagraphElement>(null)
  const problem = useRef<HTMLParagraphElement>(null)
  const [isDone, isProblem] = [panes.done.value !== '', panes.problem.value !== '']
  useEffect(() => {
    if (isProblem) problem.current?.focus()
    else if (isDone) done.current?.focus()
  }, [isDone, isProblem])
  return (
    <>
      <p class="account-done" role="status" tabIndex={-1} ref={done}>
        {panes.done.value}
      </p>
      {isProblem && (
        <p class="trade-problem" role="alert" tabIndex={-1} ref={problem}>
          {panes.problem.value}
        </p>
      )}
    </>
  )
}

/**
 * A request to operators that the owner of the account may not have made: it can be stopped on every pane.
 */
function Warning({ panes }: { readonly panes: PanesState }) {
  const { data: texts } = paneTexts()
  const me = panes.me.value
  if (me.kind !== 'THERE') return null
  const { recoveryAskedAt, mailDueAt } = me.value
  if (recoveryAskedAt === undefined && mailDueAt === undefined) return null
  return (
    <div class="account-warning" role="alert">
      {recoveryAskedAt !== undefined && <p>{texts.recoveryAsked(momentText(recoveryAskedAt))}</p>}
      {mailDueAt !== undefined && <p>{texts.mailDue(momentText(mailDueAt))}</p>}
      <p>
        <button type="button" disabled={panes.isBusy.value} onClick={() => void panes.stopRecovery()}>
          {texts.stop}
        </button>
      </p>
    </div>
  )
}

/**
 * A button that is disabled while an action runs loses the keyboard focus; it gets the focus back afterwards.
 */
function useKeptFocus(panes: PanesState) {
  const scroll = useRef<HTMLDivElement>(null)
  const last = useRef<HTMLElement | null>(null)
  const isBusy = panes.isBusy.value
  useEffect(() => {
    const place = scroll.current
    const keep = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== place) last.current = target
    }
    place?.addEventListener('focusin', keep)
    return () => place?.removeEventListener('focusin', keep)
  }, [])
  useEffect(() => {
    const { activeElement } = document
    const isLost = activeElement === document.body || activeElement?.tagName === 'DIALOG'
    if (isBusy || !isLost) return
    const kept = last.current?.isConnected === true ? last.current : scroll.current
    kept?.focus()
  }, [isBusy])
  return scroll
}
