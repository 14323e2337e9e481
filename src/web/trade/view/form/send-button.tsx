/**
 * The button that sends, labeled with what it will send, and the reason why sending is blocked, in words. It
 * stays visible while the form scrolls.
 */

import type { Side } from '../../../../client/interface/words.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Dispatch } from '../../state/sending/dispatch.ts'
import { useElementId } from '../element-id.ts'

type SendButtonProps = {
  readonly dispatch: Dispatch
  readonly side: Side
  /** The amount and its asset. */
  readonly what: string
}

export function SendButton({ dispatch, side, what }: SendButtonProps) {
  const id = useElementId()
  const wait = dispatch.waitsFor.value
  return (
    <div class="trade-send-bar">
      {wait !== undefined && wait !== 'SENDING' && (
        <p class="trade-stale" id={id}>
          {TEXTS.sending.waits[wait]}
        </p>
      )}
      <button
        type="submit"
        class="trade-send"
        data-side={side}
        aria-disabled={wait !== undefined}
        aria-describedby={wait === undefined ? undefined : id}
        onClick={(event) => {
          // The second click of a double click must not send a second order.
          if (event.detail > 1) event.preventDefault()
        }}
      >
        {wait === 'SENDING' ? TEXTS.sending.waits.SENDING : TEXTS.place[side](what)}
      </button>
    </div>
  )
}
