/**
 * Pauses of a test run: from time to time every process that the run started is stopped for a short time, as
 * on a machine that is suspended or overloaded. Processes that a test stopped itself are neither stopped nor
 * continued.
 */
import { processesOf, readProcess, signalEach } from './processes.mjs'
import { randomNumbers } from './random-numbers.mjs'

/** Duration of a pause. */
export const PAUSE_MS = 1_500
/** Shortest time between two pauses. */
const GAP_MS_LEAST = 1_000
const GAP_MS_MOST = 8_000
/** Time that stopped processes have to come to a stop, and interval of the checks. */
const STOP_MS_MAX = 250
const CHECK_MS = 2

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** The gaps for a seed, in milliseconds, without end. */
export function* gaps(seed) {
  const random = randomNumbers(seed)
  for (;;) yield Math.round(GAP_MS_LEAST + random() * (GAP_MS_MOST - GAP_MS_LEAST))
}

/**
 * Pauses the processes of `run` from here on. `stop` continues the paused processes; it resolves with the
 * number of pauses.
 */
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
 * Stops all running processes, parents first: once the parents are stopped, a process below them that is
 * found stopped was stopped by a test. The processes stopped here are added to `paused`, which is continued
 * in every case.
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
      while (readProcess(pid)?.hasStopped === false && performance.now() < until) await sleep(CHECK_MS)
    }
  }
}
