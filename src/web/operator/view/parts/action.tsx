/**
 * A button for a command of operators, which opens its dialog. What the role may not do is not enabled, and says which right lacks.
 */
import { useContext, useId, useRef } from 'preact/hooks'
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
        title={lack?.message ?? command.summary}
        onClick={() => {
          if (lack === undefined && open !== undefined) open.value = { parts, button: button.current }
        }}
      >
        {label ?? command.name}
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
