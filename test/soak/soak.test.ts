/** The short soak of every run; `npm run soak -- --hours 12` for a long one. */
import { expect, test } from 'bun:test'
import { unevenness } from './flatness.ts'
import { soak } from './soak.ts'

/** By then the page caches of journal and history are full at half load, and memory is flat (`npm run soak -- --minutes 3`): the half before warms up. */
const CACHES_FULL_SECONDS = 90

/** A continuous-integration run has the time in which a small leak shows, a person who waits for the tests has not. */
const SECONDS = process.env.CI ? CACHES_FULL_SECONDS * 2 : 24
const WINDOWS = 12

test(
  `at half load for ${SECONDS} s, with readers and subscribers, memory, latency and disk are flat`,
  async () => {
    const { windows, messages, answers } = await soak({ seconds: SECONDS, windows: WINDOWS })
    expect(unevenness(windows)).toEqual([])
    expect(Math.min(messages, answers)).toBeGreaterThan(SECONDS)
  },
  // A slow machine sends the same orders later.
  (SECONDS * 5 + 120) * 1_000,
)
