/**
 * Random cases that must also reach a minimum coverage. The coverage of a fixed number of fresh draws is
 * different in every run, so that a suite which demands it of one round fails by chance.
 */
import { expect } from 'bun:test'

/** A case that one round in two misses is missed by all of them once in a million runs. */
const ROUNDS_MAX = 20

/**
 * Runs `round`, which draws cases and counts in `met` those of each kind, until each kind was met `least`
 * times; a kind that was not, after the last round, is an error. At least one round is run.
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
