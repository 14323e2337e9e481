/**
 * The dialog that changes the prices, the distance or the quantity of an order. If only the quantity is
 * lowered, the order keeps its place; otherwise it is canceled and a new one is placed in one step. The
 * dialog shows refusals.
 */
import { useSignal } from '@preact/signals'
import { RefusedError } from '../../../../client/errors.ts'
import type { Order } from '../../../../client/interface/orders.ts'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { FieldProblem } from '../../state/draft/draft.ts'
import { refusedProblem } from '../../state/draft/field-problem.ts'
import { orderPhrase } from '../../state/order-phrase.ts'
import {
  amendedQuantity,
  checkedEdit,
  EDIT_FIELDS,
  type EditField,
  type EditTexts,
  editTexts,
} from '../../state/sending/order-edit.ts'
import type { Outgoing } from '../../state/sending/outgoing.ts'
import { amendedText, isHalfDone } from '../../state/sending/outgoing-text.ts'
import { questionsOf } from '../../state/sending/questions.ts'
import { type Moved, replacementOf } from '../../state/sending/replacement.ts'
import { messageOf } from '../../state/trading-state.ts'
import { Confirm } from '../../view/confirm.tsx'
import { NumberInput } from '../../view/form/number-input.tsx'
import type { AccountProps } from '../account-props.ts'

type Refused = { readonly at: EditField | undefined; readonly problem: FieldProblem }

type EditProps = AccountProps & { readonly order: Order; readonly onDone: () => void }

export function OrderEdit(props: EditProps) {
  const { dispatch, trader, order, onDone } = props
  const { open } = TEXTS.account
  const before = editTexts(replacementOf(order))
  const fields = EDIT_FIELDS.filter((name) => before[name] !== undefined)
  const texts = useSignal<EditTexts>(before)
  const refused = useSignal<Refused | undefined>(undefined)
  const isSending = useSignal(false)
  const { problems, edited } = checkedEdit(texts.value)
  const amended = amendedQuantity(order, edited)
  const send = async () => {
    if (isSending.value || Object.keys(problems).length > 0) return
    if (amended === undefined) {
      const onRefused = (error: unknown) => {
        refused.value = refusedAt(fields, error)
      }
      void dispatch.offer(replacing(props, edited, onRefused))
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
          label={labelOf(name, before)}
          unit={name === 'trailingDelta' ? '%' : undefined}
          value={texts.value[name] ?? ''}
          problem={problems[name] ?? (refused.value?.at === name ? refused.value.problem : undefined)}
          onValue={(text) => {
            texts.value = { ...texts.value, [name]: text }
            refused.value = undefined
          }}
        />
      ))}
      <p role="status">
        {amended === undefined ? open.losesPlace : open.keepsPlace}
        {amended === undefined && isFollowing(order) && ` ${TEXTS.trailing.anew}`}
      </p>
      {refused.value !== undefined && refused.value.at === undefined && (
        <p class="trade-problem" role="alert">
          {refused.value.problem.message}
        </p>
      )}
      {wait !== undefined && wait !== 'SENDING' && <p class="trade-stale">{TEXTS.sending.waits[wait]}</p>}
    </Confirm>
  )
}

/** If an order follows the price, its stop price is the price from which it follows. */
function labelOf(name: EditField, { trailingDelta }: EditTexts): string {
  if (name === 'trailingDelta') return TEXTS.trailing.distance
  return name === 'stopPrice' && trailingDelta !== undefined ? TEXTS.trailing.from : TEXTS.fields[name]
}

/** Whether the order already follows the price, or will from the next trade on. */
function isFollowing(order: Order): boolean {
  const { trailingDelta, stopPrice } = replacementOf(order)
  return trailingDelta !== undefined && stopPrice === undefined
}

/** Lowers the quantity while the order keeps its place. Resolves with the exchange's refusal, if any. */
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

/** The order that replaces the edited one. */
function replacing(
  { trading, ticket, order, onDone }: EditProps,
  edited: Moved,
  onRefused: (error: unknown) => void,
): Outgoing {
  const { open } = TEXTS.account
  const wanted = replacementOf(order, edited)
  const [before, now] = [editTexts(replacementOf(order)), editTexts(wanted)]
  const facts = EDIT_FIELDS.flatMap((name) => {
    if (before[name] === undefined) return []
    return [[labelOf(name, before), changeText(name, before[name], now[name])] as const]
  })
  return {
    title: open.editTitle(orderPhrase(order)),
    yes: open.edit,
    symbol: order.symbol,
    parts: [{ facts }],
    questions: () => questionsOf(wanted, trading.surroundingsOfReplacement(wanted), ticket.limits.value),
    subject: { kind: 'REPLACEMENT', before: order, order: wanted },
    // The dialog itself is the confirmation, except for unusual prices and values.
    isAgreed: true,
    send: (trader) => trader.replace(order, replacementOf(order, edited)),
    onPlaced: onDone,
    onRefused: (error) => {
      // There is nothing left to replace.
      if (isHalfDone(error)) onDone()
      onRefused(error)
    },
  }
}

function refusedAt(fields: readonly EditField[], error: unknown): Refused {
  const named = error instanceof RefusedError ? error.parameter : undefined
  return { at: fields.find((name) => name === named), problem: refusedProblem(error) }
}

function changeText(name: EditField, before: string, now: string | undefined): string {
  const text = (value: string) => (name === 'trailingDelta' ? TEXTS.percent(value) : value)
  return before === now ? text(now) : `${text(before)} → ${now === undefined ? '–' : text(now)}`
}
