/**
 * Pauses of a test run: now and then everything that it has started stands still for a moment, as on a machine that is suspended or has too much to
 * do. What a test has stopped itself is left alone: it is neither stopped nor continued.
 */
import { processesOf, readProcess, signalEach } from './processes.mjs'

/** How long all stands still. */
export const PAUSE_MS = 1_500
/** Between two pauses. */
const GAP_MS_LEAST = 1_000
const GAP_MS_MOST = 8_000
/** How long those that are told to stop may run on, and how often it is looked. */
const STOP_MS_MAX = 250
const LOOK_MS = 2

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The gaps of a seed, in milliseconds, without end. */
export function* gaps(seed) {
  for (let state = seed >>> 0; ; ) {
    // mulberry32 by Tommy Ettinger, in the public domain.
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    const share = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
    yield Math.round(GAP_MS_LEAST + share * (GAP_MS_MOST - GAP_MS_LEAST))
  }
}

/** Pauses the processes of `run` from here on. `stop` continues what stands still; it resolves with how many pauses there were. */
export function startPauses(run, seed) {
  let isOver = false
  let end = () => {}
  const over = new Promise((resolve) => {
    end = resolve
  })
  let count = 0
  const pause = async () => {
    const paused = []
    try {
      await stopAll(run, paused)
      await Promise.race([sleep(PAUSE_MS), over])
    } finally {
      signalEach(paused, 'SIGCONT')
    }
    if (paused.length > 0) count++
  }
  const work = async () => {
    for (const gapMs of gaps(seed)) {
      await Promise.race([sleep(gapMs), over])
      if (isOver) return
      await pause()
    }
  }
  const working = work()
  return {
    stop: async () => {
      isOver = true
      end()
      await working
      return count
    },
  }
}

/**
 * Stops all that runs, parents first: once they stand still, whoever is found stopped below them was stopped by a test. Those that were stopped
 * here are added to `paused`, which is continued whatever happens.
 */
async function stopAll(run, paused) {
  const known = new Set()
  for (;;) {
    const found = processesOf(run).filter((pid) => !known.has(pid))
    if (found.length === 0) return
    for (const pid of found) {
      known.add(pid)
      if (readProcess(pid)?.isStopped !== false) continue
      signalEach([pid], 'SIGSTOP')
      paused.push(pid)
      const until = performance.now() + STOP_MS_MAX
      while (readProcess(pid)?.hasStopped === false && performance.now() < until) await sleep(LOOK_MS)
    }
  }
}
