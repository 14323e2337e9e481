/** The short soak of every run; `npm run soak -- --hours 12` for a long one. */
import { expect, test } from 'bun:test'
import { unevenness } from './flatness.ts'
import { soak } from './soak.ts'

/**
 * Half of this time is the warm-up. The page caches of journal and history are full after a minute and a half
 * at half load: with three minutes, but not with two, the judged half is flat from its beginning
 * (`npm run soak -- --minutes 3`). The tests take even less time, since people wait for them.
 */
const SECONDS = process.env.CI ? 120 : 24
const WINDOWS = 12
/** For a machine whose warm-up takes longer than half of the time. */
const FURTHER_HALVES = 3

test(
  `at half load for ${SECONDS} s, with readers and subscribers, memory, latency and disk are flat`,
  async () => {
    const { windows, messages, answers } = await soak({
      seconds: SECONDS,
      windows: WINDOWS,
      furtherHalves: FURTHER_HALVES,
      onFurther: (problems) => console.log(`soak: a further half is run: ${problems.join('; ')}`),
    })
    expect(unevenness(windows)).toEqual([])
    expect(Math.min(messages, answers)).toBeGreaterThan(SECONDS)
  },
  // A slow machine sends the same orders later.
  (SECONDS * (1 + FURTHER_HALVES / 2) * 5 + 120) * 1_000,
)
