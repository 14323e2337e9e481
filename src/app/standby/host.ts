/** Functions that the commands of a standby need from the program. */

import type { ProgramVersion } from '../../contract/program-version.ts'
import type { Logger } from '../../server/common/logger.ts'
import type { LogLevel } from '../settings/defaults.ts'
import type { Environment } from '../settings/load.ts'

export type StandbyHost = {
  readonly print: (text: string) => void
  readonly version: ProgramVersion
  readonly environment: Environment
  readonly openLog: (level: LogLevel) => Logger
  /** The operator who promotes, for the journal. */
  readonly operator: string
  /** Asks for confirmation on the terminal; undefined if there is none. */
  readonly confirm: ((question: string) => Promise<boolean>) | undefined
}
