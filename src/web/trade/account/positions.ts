/** The account's positions, loaded after changes, and periodically for the last prices. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Position } from '../../../client/interface/positions.ts'
import type { Trader } from '../state/trader.ts'
import { messageOf } from '../state/trading-state.ts'

/** Shortest interval between requests. */
const PAUSE_MS = 2_000
const ASKED_EVERY_MS = 10_000

export type KnownPositions = {
  /** Undefined while they are unknown. */
  readonly positions: readonly Position[] | undefined
  readonly problem: string | undefined
}

const UNKNOWN: KnownPositions = { positions: undefined, problem: undefined }

export function usePositions({ account, requests }: Pick<Trader, 'account' | 'requests'>): KnownPositions {
  const known = useSignal(UNKNOWN)
  const isLive = account.isLive.value
  useEffect(() => {
    // Outdated values are not shown as if they were current.
    known.value = UNKNOWN
    if (!isLive) return
    const stop = new AbortController()
    let isResting = false
    let isDue = false
    const ask = async (): Promise<void> => {
      if (isResting) {
        isDue = true
        return
      }
      isResting = true
      isDue = false
      try {
        const { positions } = await requests.accountPositions({}, { signal: stop.signal })
        if (!stop.signal.aborted) known.value = { positions, problem: undefined }
      } catch (error) {
        if (!stop.signal.aborted) known.value = { positions: undefined, problem: messageOf(error) }
      }
      if (stop.signal.aborted) return
      rest = setTimeout(() => {
        isResting = false
        if (isDue) void ask()
      }, PAUSE_MS)
    }
    let rest: ReturnType<typeof setTimeout> | undefined
    const ignore = account.changes.subscribe(() => void ask())
    const timer = setInterval(() => void ask(), ASKED_EVERY_MS)
    return () => {
      stop.abort()
      ignore()
      clearTimeout(rest)
      clearInterval(timer)
    }
  }, [account, requests, isLive])
  return known.value
}
