/** The node's answer for a view: requested when the view opens, periodically, and after a command. */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useCallback, useEffect } from 'preact/hooks'
import type { AdminOperation, AdminRequests, AdminResults } from '../../../../contract/admin/admin.ts'
import { isAway, type PageSession, type Refused } from '../../state/page-session.ts'
import { say } from '../../texts/texts.ts'

/** Interval of the requests that a view sends by itself. */
const REFRESH_MS = 10_000

export type Asked<Result> = {
  /** Undefined if no answer has arrived, or if the request was refused. */
  readonly result: Result | undefined
  readonly error: Refused | undefined
  readonly again: () => void
}

/** `request`: if undefined, nothing is requested. */
export function useAsked<Operation extends AdminOperation>(
  session: PageSession,
  operation: Operation,
  request: AdminRequests[Operation] | undefined,
  everyMs = REFRESH_MS,
): Asked<AdminResults[Operation]> {
  const result = useSignal<AdminResults[Operation] | undefined>(undefined)
  const error = useSignal<Refused | undefined>(undefined)
  const round = useSignal(0)
  const text = request === undefined ? undefined : JSON.stringify(request)
  const isAllowed = useAllowed(session, operation)
  // In a new session the data is requested again, and without a session nothing is displayed.
  const csrf = session.state.value?.csrf
  useEffect(() => {
    result.value = undefined
    error.value = undefined
  }, [text, operation, csrf])
  useEffect(() => {
    if (text === undefined || !isAllowed.value) return
    let isGone = false
    let isUnderWay = false
    const look = async (isBackground: boolean) => {
      // No further requests are sent to a node that does not answer: a browser has few connections to it.
      if (isUnderWay) return
      isUnderWay = true
      const answer = await session.ask(operation, JSON.parse(text), { isBackground })
      isUnderWay = false
      if (isGone) return
      if (answer.ok) result.value = answer.result
      // Otherwise the displayed data stays, and the page itself states its time and the reason.
      const isSaidByPage =
        !answer.ok &&
        (isAway(answer.error) || (answer.error.reason === 'NO_ANSWER' && result.value !== undefined))
      error.value = answer.ok || isSaidByPage ? undefined : answer.error
    }
    void look(false)
    const timer = setInterval(() => void look(true), everyMs)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [session, operation, text, everyMs, round.value, isAllowed.value, csrf])
  const again = useCallback(() => {
    round.value++
  }, [round])
  const lack = lackOf(session, operation)
  return { result: result.value, error: lack ?? error.value, again }
}

function useAllowed(session: PageSession, operation: AdminOperation): ReadonlySignal<boolean> {
  return useComputed(() => {
    const state = session.state.value
    return state !== null && state !== undefined && state.lacking[operation] === undefined
  })
}

/** The notice for a role that lacks the permission to read this; undefined for one that has it. */
export function lackOf(session: PageSession, operation: AdminOperation): Refused | undefined {
  const state = session.state.value
  const right = state?.lacking[operation]
  if (state === null || state === undefined || right === undefined) return undefined
  const message =
    right === 'owner'
      ? say("This needs the node's own token: use the command line on the node's machine.")
      : say('This needs the right {right}, which your role {role} does not have.', {
          right,
          role: state.role,
        })
  return { reason: right === 'owner' ? 'OWN_TOKEN_NEEDED' : 'ROLE_NOT_ALLOWED', message }
}
