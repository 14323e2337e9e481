/** Says that the session is about to end, and what to do. Whether another page of the browser has used it meanwhile, the node knows: it is asked first. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PageSession } from '../state/page-session.ts'
import { type SessionWarning, warningOf } from '../state/session-warning.ts'
import { spanText } from '../state/words.ts'

const LOOK_MS = 1_000
/** While it warns, the node is asked so often whether the session was used elsewhere. */
const ASK_EVERY_LOOKS = 10

export function SessionEnd({
  session,
  onAgain,
}: {
  readonly session: PageSession
  readonly onAgain: () => void
}) {
  const warning = useSignal<SessionWarning | undefined>(undefined)
  useEffect(() => {
    let looks = 0
    const look = () => {
      const due = warningOf(session.ends.value, session.nowMs())
      if (due === undefined) {
        looks = 0
        warning.value = undefined
        return
      }
      if (looks++ % ASK_EVERY_LOOKS === 0) void session.resume()
      // Not before the node was asked.
      if (looks > 1) warning.value = due
    }
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [session, warning])
  const found = warning.value
  if (found === undefined) return null
  return (
    <div class="notice session-end">
      <p role="alert">
        {found.kind === 'unused'
          ? 'Nobody uses this page: its session is about to end.'
          : 'The session is about to end, 8 hours after it began. Log in again to go on; what you typed stays.'}
      </p>
      <span class="left" aria-hidden="true">
        {spanText(found.secondsLeft)}
      </span>
      {found.kind === 'unused' ? (
        <button
          type="button"
          class="primary"
          onClick={async () => {
            await session.use()
            warning.value = undefined
          }}
        >
          Stay
        </button>
      ) : (
        <button type="button" class="primary" onClick={onAgain}>
          Log in again
        </button>
      )}
    </div>
  )
}
