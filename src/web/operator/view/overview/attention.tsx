/** What needs attention now: what is wrong, what to do, and where that is written. */
import type { Trouble } from '../../state/troubles.ts'
import { State } from '../parts/parts.tsx'

type Props = {
  readonly troubles: readonly Trouble[]
  /** Of the program, whose files the documentation is among: no node serves it. */
  readonly version: string | undefined
}

export function Attention({ troubles, version }: Props) {
  if (troubles.length === 0)
    return (
      <p class="empty-text">
        <State word="nothing" kind="good" /> as far as one look at the node shows. What shows only over time
        is for the alarms of Prometheus.
      </p>
    )
  return (
    <ul class="troubles">
      {troubles.map(({ alarm, urgency, what, todo, where }) => (
        <li key={alarm}>
          <State word={what} kind={urgency === 'page' ? 'bad' : 'warn'} />
          <p>{todo}</p>
          <p class="help">
            {alarm}: <code>{where}</code> among the source files of{' '}
            {version === undefined ? 'this version' : `version ${version}`}
          </p>
        </li>
      ))}
    </ul>
  )
}
