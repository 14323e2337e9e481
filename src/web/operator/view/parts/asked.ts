/** What a view shows of the node: asked when it opens, again by itself, and when something was done. */
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals'
import { useCallback, useEffect } from 'preact/hooks'
import type { AdminOperation, AdminRequests, AdminResults } from '../../../../wire/admin.ts'
import { isAway, type PageSession, type Refused } from '../../state/page-session.ts'

/** How often a view asks again by itself. */
const REFRESH_MS = 10_000

export type Asked<Result> = {
  /** Undefined: not yet there, or refused. */
  readonly result: Result | undefined
  readonly error: Refused | undefined
  readonly again: () => void
}

/** `request` undefined: nothing is asked. */
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
  // Another one begins: what was shown is asked for again, and nothing is shown without one.
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
      // A node that does not answer is not asked more and more: a browser has few connections to it.
      if (isUnderWay) return
      isUnderWay = true
      const answer = await session.ask(operation, JSON.parse(text), { isBackground })
      isUnderWay = false
      if (isGone) return
      if (answer.ok) result.value = answer.result
      // Else what was shown stays, and the page itself says of when it is, and why.
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

/** What stands where a role may not look; undefined: it may. */
export function lackOf(session: PageSession, operation: AdminOperation): Refused | undefined {
  const state = session.state.value
  const right = state?.lacking[operation]
  if (state === null || state === undefined || right === undefined) return undefined
  const message =
    right === 'owner'
      ? "It takes the node's own token: do it on its machine with bourse admin."
      : `It takes the right ${right}, which your role ${state.role} does not have.`
  return { reason: right === 'owner' ? 'OWN_TOKEN_NEEDED' : 'ROLE_NOT_ALLOWED', message }
}
