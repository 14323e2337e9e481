/** How a command says that it was not done: a line for people, and with `--json` an object for programs. */
import { printable } from '../units/printable.ts'
import type { AdminReason, CommandLineReason } from '../wire/reasons/catalogue.ts'

export type Failure = {
  /** A word for programs. */
  readonly reason: AdminReason | CommandLineReason
  readonly message: string
  /** The field of the request that is to blame. */
  readonly field?: string | undefined
  /** The command that shows help; for a command line that was not understood. */
  readonly help?: string | undefined
  /** The reason is one of the catalogue and worth a look there. */
  readonly showsReason?: boolean
}

type FailureHost = {
  readonly print: (text: string) => void
  readonly printError: (text: string) => void
}

/** `program`: who says it, such as `bourse admin`; `line`: the words of the command line, for `--json`. */
export function tellFailure(
  program: string,
  { reason, message, field, help, showsReason }: Failure,
  line: readonly string[],
  host: FailureHost,
): void {
  const mark = showsReason ? ` [${reason}]` : ''
  host.printError(`${program}: ${printable(message)}${mark}${help === undefined ? '' : `\nHelp: ${help}`}`)
  if (line.includes('--json')) host.print(JSON.stringify({ error: { reason, message, field } }))
}
