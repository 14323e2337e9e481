/** The order that is about to be sent, and the reasons to confirm it. */

import { TEXTS } from '../../../shared/texts/texts.ts'
import type { Dispatch } from '../../state/sending/dispatch.ts'
import { Confirm } from '../confirm.tsx'
import { questionText } from './question-text.ts'

export function SendQuestion({ dispatch }: { readonly dispatch: Dispatch }) {
  const asked = dispatch.asked.value
  if (asked === undefined) return null
  const again = dispatch.again.value
  return (
    <Confirm
      title={asked.title}
      yes={asked.yes}
      onYes={() => void dispatch.confirm()}
      onNo={() => dispatch.decline()}
    >
      <dl class="trade-figures">
        <div>
          <dt>{TEXTS.orders.symbol}</dt>
          <dd>{asked.symbol}</dd>
        </div>
      </dl>
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
      {dispatch.questions.value.map((question) => {
        const text = questionText(question)
        return (
          <p class="trade-stale" key={text}>
            {text}
          </p>
        )
      })}
      {again !== undefined && (
        <p class="trade-problem" role="alert">
          {TEXTS.again[again]}
        </p>
      )}
    </Confirm>
  )
}
