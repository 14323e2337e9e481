/**
 * Random cases that must also reach a minimum coverage. The coverage of a fixed number of fresh draws is
 * different in every run, so a suite that required it of a single round would sometimes fail by chance.
 */
import { expect } from 'bun:test'

/** A case that one round in two misses is missed by all rounds once in a million runs. */
const ROUNDS_MAX = 20

/**
 * Runs `round`, which draws cases and counts those of each kind in `met`, until each kind has occurred
 * `least` times. If one has not after the last round, that is an error. Runs at least one round.
 */
export async function untilMet(
  met: Readonly<Record<string, number>>,
  round: () => unknown,
  { least = 1, roundsMax = ROUNDS_MAX }: { readonly least?: number; readonly roundsMax?: number } = {},
): Promise<void> {
  const missing = () => Object.entries(met).filter(([, times]) => times < least)
  for (let rounds = 0; rounds === 0 || (rounds < roundsMax && missing().length > 0); rounds++) await round()
  expect(missing()).toEqual([])
}
