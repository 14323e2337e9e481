/** The properties of a button for a command of operators, and of its dialog. */
import type { AdminCommand } from '../../../../cli/admin/command.ts'
import { ADMIN_COMMANDS } from '../../../../cli/admin/sections.ts'
import type { FormValues } from '../../state/command-form.ts'
import type { PageSession } from '../../state/page-session.ts'
import type { Said, Text } from '../../texts/texts.ts'

export type ActionParts = {
  readonly session: PageSession
  /** Name of the command, `symbol halt`. */
  readonly command: string
  /** The label of the button; by default the title of the command. */
  readonly label?: Text
  /** Fields with known values, which cannot be edited. */
  readonly fixed?: FormValues
  /** The present values of fields that can be edited. */
  readonly initial?: FormValues
  /** The present state in one sentence. */
  readonly about?: Said
  /** The displayed record: with it the dialog shows the state after the command. */
  readonly record?: object
  /** Text of the displayed approval, to which the request is bound. */
  readonly shownText?: string
  readonly isDangerous?: boolean
  /** Called when the command has been carried out. */
  readonly onDone?: () => void
}

export function commandOf(name: string): AdminCommand {
  const found = ADMIN_COMMANDS.find((command) => command.name === name)
  if (found === undefined) throw new Error(`there is no command ${name}`)
  return found
}
