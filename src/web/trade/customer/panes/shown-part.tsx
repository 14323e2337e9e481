/** The content of a pane while it is loading, failed, locked or loaded. */
import type { ComponentChildren } from 'preact'
import { paneTexts } from './pane-texts.ts'
import type { Shown } from './panes-state.ts'

/** Unlocks a pane that requires a step-up. */
export type Unlock = {
  readonly note: string
  readonly text: string
  readonly isBusy: boolean
  readonly onUnlock: () => void
}

type ShownPartProps<Value> = {
  readonly shown: Shown<Value>
  readonly onAgain: () => void
  readonly unlock?: Unlock
  readonly children: (value: Value) => ComponentChildren
}

export function ShownPart<Value>({ shown, onAgain, unlock, children }: ShownPartProps<Value>) {
  switch (shown.kind) {
    case 'LOADING':
      return (
        <p class="trade-none" role="status">
          {paneTexts().loading}
        </p>
      )
    case 'FAILED':
      return (
        <p class="trade-problem" role="alert">
          {shown.problem}{' '}
          <button type="button" onClick={onAgain}>
            {paneTexts().again}
          </button>
        </p>
      )
    case 'LOCKED':
      return (
        <>
          <p role="status">{unlock?.note}</p>
          <p>
            <button
              type="button"
              class="trade-primary"
              disabled={unlock?.isBusy ?? false}
              onClick={unlock?.onUnlock}
            >
              {unlock?.text}
            </button>
          </p>
        </>
      )
    case 'THERE':
      return <>{children(shown.value)}</>
  }
}
