/**
 * Warns that the session is about to end, and offers to extend it. Another page of the browser may have used
 * the session in the meantime, so the node is queried first.
 */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { spanText } from '../state/notation.ts'
import type { PageSession } from '../state/page-session.ts'
import { type SessionWarning, warningOf } from '../state/session-warning.ts'
import { say } from '../texts/texts.ts'

const LOOK_MS = 1_000
/** While the warning is shown, one check in this many queries the node: the session may be used elsewhere. */
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
      // The warning is not shown before the node has been queried.
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
          ? say('You have not used this page for a while: the session is about to end.')
          : say(
              'The session is about to end after 8 hours. Log in again to continue: what you typed is kept.',
            )}
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
          {say('Stay logged in')}
        </button>
      ) : (
        <button type="button" class="primary" onClick={onAgain}>
          {say('Log in again')}
        </button>
      )}
    </div>
  )
}
