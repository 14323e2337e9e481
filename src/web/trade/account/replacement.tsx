/** The dialog that puts an order to another price or quantity: one step that cancels it and places the other. A refusal stays in it. */
import { useSignal } from '@preact/signals'
import { RefusedError } from '../../../client/errors.ts'
import type { Order } from '../../../client/interface/orders.ts'
import { TEXTS } from '../../texts/texts.ts'
import type { FieldProblem } from '../state/draft.ts'
import { refusedProblem, typedProblem } from '../state/field-problem.ts'
import { typedNumber } from '../state/number-field.ts'
import { orderPhrase } from '../state/order-phrase.ts'
import { isHalfDone } from '../state/outgoing-text.ts'
import { questionsOf } from '../state/questions.ts'
import { replacementOf } from '../state/trader.ts'
import { Confirm } from '../view/confirm.tsx'
import { NumberInput } from '../view/number-input.tsx'
import type { AccountProps } from './account-props.ts'

const FIELDS = ['stopPrice', 'price', 'quantity'] as const

type FieldName = (typeof FIELDS)[number]

type ReplacementProps = AccountProps & { readonly order: Order; readonly onDone: () => void }

export function Replacement({ desk, dispatch, ticket, order, onDone }: ReplacementProps) {
  const { open } = TEXTS.account
  const rest = replacementOf(order)
  const fields = FIELDS.filter((name) => rest[name] !== undefined)
  const texts = useSignal<{ readonly [Name in FieldName]?: string }>(
    Object.fromEntries(fields.map((name) => [name, String(rest[name])])),
  )
  const refused = useSignal<
    { readonly at: FieldName | undefined; readonly problem: FieldProblem } | undefined
  >(undefined)
  const typed = (name: FieldName) => typedNumber(texts.value[name] ?? '')
  const problemOf = (name: FieldName) =>
    typedProblem(typed(name)) ?? (refused.value?.at === name ? refused.value.problem : undefined)
  const send = () => {
    const values = fields.flatMap((name) => {
      const number = typed(name)
      return number.kind === 'number' ? [[name, number.value.toString()] as const] : []
    })
    if (values.length < fields.length) return
    const moved = Object.fromEntries(values)
    const wanted = { ...rest, ...moved }
    void dispatch.offer({
      title: open.replaceTitle(orderPhrase(order)),
      symbol: order.symbol,
      parts: [
        { facts: values.map(([name, value]) => [TEXTS.fields[name], changeText(String(rest[name]), value)]) },
      ],
      questions: () => questionsOf(wanted, desk.surroundingsOfReplacement(wanted), ticket.limits.value),
      subject: { kind: 'REPLACEMENT', before: order, order: wanted },
      // This dialog is the question, but for what is far off.
      isAgreed: true,
      send: (trader) => trader.replace(order, moved),
      onPlaced: onDone,
      onRefused: (error) => {
        // There is nothing left to be replaced.
        if (isHalfDone(error)) onDone()
        const named = error instanceof RefusedError ? error.parameter : undefined
        refused.value = { at: fields.find((name) => name === named), problem: refusedProblem(error) }
      },
    })
  }
  const wait = dispatch.waitOf(order.symbol)
  return (
    <Confirm
      title={open.replaceTitle(orderPhrase(order))}
      yes={open.replace}
      no={TEXTS.orders.keep}
      onYes={send}
      onNo={onDone}
    >
      <p>{open.replaceNote}</p>
      {fields.map((name) => (
        <NumberInput
          key={name}
          label={TEXTS.fields[name]}
          value={texts.value[name] ?? ''}
          problem={problemOf(name)}
          onValue={(text) => {
            texts.value = { ...texts.value, [name]: text }
            refused.value = undefined
          }}
        />
      ))}
      {refused.value !== undefined && refused.value.at === undefined && (
        <p class="trade-problem" role="alert">
          {refused.value.problem.message}
        </p>
      )}
      {wait !== undefined && wait !== 'SENDING' && <p class="trade-stale">{TEXTS.sending.waits[wait]}</p>}
    </Confirm>
  )
}

function changeText(before: string, now: string): string {
  return before === now ? now : `${before} → ${now}`
}
