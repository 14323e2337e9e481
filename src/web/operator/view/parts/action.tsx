/**
 * A button for a command of operators, which opens its dialog. A command that the role may not use is
 * disabled, and names the missing right.
 */
import { useContext, useId, useRef } from 'preact/hooks'
import { summaryOf, titleOf } from '../../texts/command-texts.ts'
import { say } from '../../texts/texts.ts'
import { ActionHost } from './action-host.ts'
import { type ActionParts, commandOf } from './action-parts.ts'
import { lackOf } from './asked.ts'

export function Action(parts: ActionParts) {
  const { session, label, fixed, isDangerous } = parts
  const command = commandOf(parts.command)
  const lack = lackOf(session, command.operation)
  const open = useContext(ActionHost)
  const button = useRef<HTMLButtonElement>(null)
  const lackId = useId()
  const about = Object.values(fixed ?? {}).join(' ')
  return (
    <>
      <button
        type="button"
        ref={button}
        class={isDangerous ? 'danger' : undefined}
        aria-disabled={lack !== undefined}
        aria-describedby={lack === undefined ? undefined : lackId}
        title={lack?.message ?? summaryOf(command)}
        onClick={() => {
          if (lack === undefined && open !== undefined) open.value = { parts, button: button.current }
        }}
      >
        {label === undefined ? titleOf(command) : say(label)}
        {about !== '' && <span class="unseen"> {about}</span>}
      </button>
      {lack !== undefined && (
        <span class="unseen" id={lackId}>
          {lack.message}
        </span>
      )}
    </>
  )
}
