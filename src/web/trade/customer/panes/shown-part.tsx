/** The content of a pane: loading, failed, or there. */
import type { ComponentChildren } from 'preact'
import { paneTexts } from './pane-texts.ts'
import type { Shown } from './panes-state.ts'

type ShownPartProps<Value> = {
  readonly shown: Shown<Value>
  readonly onAgain: () => void
  readonly children: (value: Value) => ComponentChildren
}

export function ShownPart<Value>({ shown, onAgain, children }: ShownPartProps<Value>) {
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
    case 'THERE':
      return <>{children(shown.value)}</>
  }
}
