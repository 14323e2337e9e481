/** What the commands of a standby need of the program. */
import type { Logger } from '../../server/common/logger.ts'
import type { ProgramVersion } from '../../wire/program-version.ts'
import type { LogLevel } from '../settings/defaults.ts'
import type { Environment } from '../settings/load.ts'

export type StandbyHost = {
  readonly print: (text: string) => void
  readonly version: ProgramVersion
  readonly environment: Environment
  readonly openLog: (level: LogLevel) => Logger
  /** Who promotes, for the journal. */
  readonly operator: string
  /** Asks whoever sits at the terminal; undefined: nobody does. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}
