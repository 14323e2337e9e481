/** The type of a scenario, and steps that several of them share. */
import type { Profile } from '../profile.ts'
import { ALICE, BOB, type Play } from './play.ts'

export type Scenario = {
  /** The behavior that the scenario exercises. */
  readonly stresses: string
  readonly profile?: Partial<Profile>
  readonly play: (play: Play) => void
}

/** Two orders, of which one rests, a match, a cancel, a deposit. */
export function trade(play: Play): void {
  play.send(play.order(ALICE, 'SELL', 100, 5))
  play.send(play.order(BOB, 'BUY', 101, 3))
  play.send(play.order(BOB, 'BUY', 99, 4))
  play.send(play.cancel())
  play.send(play.credit(BOB, 'BBB', 12_345n))
}
