/**
 * The dialog that changes the price or quantity of an order. If only the quantity is lowered, the order keeps
 * its place; otherwise it is cancelled and a new one is placed in one step. The dialog shows refusals.
 */
import { useSignal } from '@preact/signals'
import { RefusedError } from '../../../../client/errors.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import type { NewOrderParameters } from '../../../../client/interface/parameters.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { FieldProblem } from '../../state/draft/draft.ts'
import { refusedProblem, typedProblem } from '../../state/draft/field-problem.ts'
import { typedNumber } from '../../state/draft/number-field.ts'
import { orderPhrase } from '../../state/order-phrase.ts'
import { amendedQuantity } from '../../state/sending/order-edit.ts'
import type { Outgoing } from '../../state/sending/outgoing.ts'
import { amendedText, isHalfDone } from '../../state/sending/outgoing-text.ts'
import { questionsOf } from '../../state/sending/questions.ts'
import { type Moved, replacementOf } from '../../state/trader.ts'
import { messageOf } from '../../state/trading-state.ts'
import { Confirm } from '../../view/confirm.tsx'
import { NumberInput } from '../../view/form/number-input.tsx'
import type { AccountProps } from '../account-props.ts'

const FIELDS = ['stopPrice', 'price', 'quantity'] as const

type FieldName = (typeof FIELDS)[number]
type Texts = { readonly [Name in FieldName]?: string }
type Refused = { readonly at: FieldName | undefined; readonly problem: FieldProblem }

type EditProps = AccountProps & { readonly order: Order; readonly onDone: () => void }

export function OrderEdit(props: EditProps) {
  const { dispatch, trader, order, onDone } = props
  const { open } = TEXTS.account
  const rest = replacementOf(order)
  const fields = FIELDS.filter((name) => rest[name] !== undefined)
  const texts = useSignal<Texts>(Object.fromEntries(fields.map((name) => [name, String(rest[name])])))
  const refused = useSignal<Refused | undefined>(undefined)
  const isSending = useSignal(false)
  const edited = numbersIn(fields, texts.value)
  const amended = amendedQuantity(order, edited)
  const send = async () => {
    if (isSending.value || fields.some((name) => edited[name] === undefined)) return
    if (amended === undefined) {
      const onRefused = (error: unknown) => {
        refused.value = refusedAt(fields, error)
      }
      void dispatch.offer(replacing(props, rest, edited, onRefused))
      return
    }
    isSending.value = true
    refused.value = await amending(props, amended)
    isSending.value = false
  }
  const isKeptBack = amended !== undefined && !trader.account.isLive.value
  const wait = amended === undefined ? dispatch.waitOf(order.symbol) : isKeptBack ? 'ACCOUNT' : undefined
  return (
    <Confirm
      title={open.editTitle(orderPhrase(order))}
      yes={open.edit}
      no={TEXTS.orders.keep}
      onYes={() => void send()}
      onNo={onDone}
    >
      {fields.map((name) => (
        <NumberInput
          key={name}
          label={TEXTS.fields[name]}
          value={texts.value[name] ?? ''}
          problem={
            typedProblem(typedNumber(texts.value[name] ?? '')) ??
            (refused.value?.at === name ? refused.value.problem : undefined)
          }
          onValue={(text) => {
            texts.value = { ...texts.value, [name]: text }
            refused.value = undefined
          }}
        />
      ))}
      <p role="status">{amended === undefined ? open.losesPlace : open.keepsPlace}</p>
      {refused.value !== undefined && refused.value.at === undefined && (
        <p class="trade-problem" role="alert">
          {refused.value.problem.message}
        </p>
      )}
      {wait !== undefined && wait !== 'SENDING' && <p class="trade-stale">{TEXTS.sending.waits[wait]}</p>}
    </Confirm>
  )
}

/** The fields with a number, each as it is sent. */
function numbersIn(fields: readonly FieldName[], texts: Texts): Moved {
  return Object.fromEntries(
    fields.flatMap((name) => {
      const number = typedNumber(texts[name] ?? '')
      return number.kind === 'number' ? [[name, number.value.toString()]] : []
    }),
  )
}

/** Lowers the quantity of the order in its place. Resolves with the exchange's refusal, if any. */
async function amending(
  { trading, trader, order, onDone }: EditProps,
  quantity: string,
): Promise<Refused | undefined> {
  if (!trader.account.isLive.value) return undefined
  try {
    await trader.amend(order, quantity)
    trading.notifyOf(trader, () => amendedText(order, quantity), { orderId: order.id })
    onDone()
    return undefined
  } catch (error) {
    return { at: 'quantity', problem: { kind: 'REFUSED', offers: [], message: messageOf(error) } }
  }
}

/** The order that replaces the edited one. `rest`: the rest of the edited one as a new order. */
function replacing(
  { trading, ticket, order, onDone }: EditProps,
  rest: NewOrderParameters,
  edited: Moved,
  onRefused: (error: unknown) => void,
): Outgoing {
  const { open } = TEXTS.account
  const wanted: NewOrderParameters = { ...rest, ...edited }
  const facts = FIELDS.flatMap((name) => {
    const value = edited[name]
    return value === undefined ? [] : [[TEXTS.fields[name], changeText(String(rest[name]), value)] as const]
  })
  return {
    title: open.editTitle(orderPhrase(order)),
    yes: open.edit,
    symbol: order.symbol,
    parts: [{ facts }],
    questions: () => questionsOf(wanted, trading.surroundingsOfReplacement(wanted), ticket.limits.value),
    subject: { kind: 'REPLACEMENT', before: order, order: wanted },
    // The dialog itself is the question, except for unusual prices and values.
    isAgreed: true,
    send: (trader) => trader.replace(order, edited),
    onPlaced: onDone,
    onRefused: (error) => {
      // There is nothing left to replace.
      if (isHalfDone(error)) onDone()
      onRefused(error)
    },
  }
}

function refusedAt(fields: readonly FieldName[], error: unknown): Refused {
  const named = error instanceof RefusedError ? error.parameter : undefined
  return { at: fields.find((name) => name === named), problem: refusedProblem(error) }
}

function changeText(before: string, now: string): string {
  return before === now ? now : `${before} → ${now}`
}
