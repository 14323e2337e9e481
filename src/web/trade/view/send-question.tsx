/** What is about to be sent, and why the page asks. */

import { TEXTS } from '../../texts/texts.ts'
import type { Dispatch } from '../state/dispatch.ts'
import { Confirm } from './confirm.tsx'

export function SendQuestion({ dispatch }: { readonly dispatch: Dispatch }) {
  const asked = dispatch.asked.value
  if (asked === undefined) return null
  return (
    <Confirm
      title={asked.title}
      yes={TEXTS.yes}
      onYes={() => void dispatch.confirm()}
      onNo={() => dispatch.decline()}
    >
      {asked.parts.map(({ title, facts }) => (
        <section key={title}>
          {title !== undefined && <h3>{title}</h3>}
          <dl class="trade-figures">
            {facts.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {asked.questions.map((question) => (
        <p class="trade-stale" key={question}>
          {TEXTS.questions[question]}
        </p>
      ))}
    </Confirm>
  )
}
