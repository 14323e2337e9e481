/** Problems that need attention now: each problem, its remedy, and the place that documents it. */
import type { Trouble } from '../../state/troubles.ts'
import { type Said, say } from '../../texts/texts.ts'
import { State } from '../parts/parts.tsx'

type Props = {
  readonly troubles: readonly Trouble[]
  /** The version of the program; the documentation is among its files, since no node serves it. */
  readonly version: string | undefined
}

export function Attention({ troubles, version }: Props) {
  if (troubles.length === 0)
    return (
      <p class="empty-text">
        <State word="No problems found." kind="good" />{' '}
        {say('Problems that show only over time are reported by the Prometheus alarms.')}
      </p>
    )
  return (
    <ul class="troubles">
      {troubles.map(({ alarm, urgency, what, todo, where }) => (
        <li key={alarm}>
          <State word={what as Said} kind={urgency === 'page' ? 'bad' : 'warn'} />
          <p>{say(todo)}</p>
          <p class="help">
            {alarm}: <code>{where}</code>{' '}
            {say('in the documentation of version {version}', { version: version ?? '–' })}
          </p>
        </li>
      ))}
    </ul>
  )
}
