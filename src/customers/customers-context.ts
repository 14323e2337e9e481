/** The parts that the customers' operations use. */
import type { DayLimits } from './day-limits.ts'
import type { Expiring } from './expiring.ts'
import type { Failures } from './factors/failures.ts'
import type { Passwords } from './factors/passwords.ts'
import type { StepUps } from './factors/step-ups.ts'
import type { TotpOffer } from './factors/totp.ts'
import type { FreezeTurns } from './freezes/turns.ts'
import type { AskedMails } from './mail/asked-mails.ts'
import type { NobodysKeys } from './nobodys-keys.ts'
import type { Challenges } from './people/challenges.ts'
import type { Openings } from './people/openings.ts'
import type { ExchangeAccess, World } from './ports.ts'
import type { KeyAnnouncer } from './sessions/key-announcer.ts'
import type { Store } from './store/store.ts'
import type { CustomersConfig } from './terms.ts'

export type CustomersContext = {
  readonly config: CustomersConfig
  readonly world: World
  readonly store: Store
  readonly exchange: ExchangeAccess
  readonly challenges: Challenges
  readonly stepUps: StepUps
  readonly passwords: Passwords
  readonly failures: Failures
  /** By session id. */
  readonly totpOffers: Expiring<TotpOffer>
  readonly openings: Openings
  readonly announcer: KeyAnnouncer
  readonly turns: FreezeTurns
  readonly dayLimits: DayLimits
  /** Counts found when the store is compared with the journal. */
  readonly found: { missing: number; old: number; trailDiffers: number }
  readonly askedMails: AskedMails
  readonly nobodysKeys: NobodysKeys
}
