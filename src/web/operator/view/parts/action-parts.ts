/** What a button for a command of operators, and its dialog, are given. */
import type { AdminCommand } from '../../../../cli/admin/command.ts'
import { ADMIN_COMMANDS } from '../../../../cli/admin/sections.ts'
import type { FormValues } from '../../state/command-form.ts'
import type { PageSession } from '../../state/page-session.ts'

export type ActionParts = {
  readonly session: PageSession
  /** Name of the command, `symbol halt`. */
  readonly command: string
  /** What the button says; without it the name of the command. */
  readonly label?: string
  /** Fields that are known, and are not to be typed. */
  readonly fixed?: FormValues
  /** Fields as they are now, to be changed. */
  readonly initial?: FormValues
  /** What is known of it now, in one sentence. */
  readonly about?: string
  /** Text of the approval that is shown, to which the answer is bound. */
  readonly shownText?: string
  readonly isDangerous?: boolean
  /** Called when it was done. */
  readonly onDone?: () => void
}

export function commandOf(name: string): AdminCommand {
  const found = ADMIN_COMMANDS.find((command) => command.name === name)
  if (found === undefined) throw new Error(`there is no command ${name}`)
  return found
}
