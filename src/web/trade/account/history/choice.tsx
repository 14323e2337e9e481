/** Small sets of choices, each below its name. */
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { TradedMarket } from '../../state/draft/draft.ts'
import { useElementId } from '../../view/element-id.ts'
import type { FillFilter } from './histories.ts'

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly onChoice: (value: Value) => void
}

export function Choice<Value extends string>({ label, value, options, onChoice }: ChoiceProps<Value>) {
  const id = useElementId()
  return (
    <div class="history-choice">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value as Value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

type MarketAndSideProps<Filter extends FillFilter> = {
  readonly filter: Filter
  readonly markets: readonly TradedMarket[]
  readonly onFilter: (filter: Filter) => void
}

/** For filters by market and side. */
export function MarketAndSide<Filter extends FillFilter>({
  filter,
  markets,
  onFilter,
}: MarketAndSideProps<Filter>) {
  const { orders: names, account: words } = TEXTS
  return (
    <>
      <Choice
        label={names.symbol}
        value={filter.symbol}
        options={marketOptions(markets)}
        onChoice={(symbol) => onFilter({ ...filter, symbol })}
      />
      <Choice
        label={names.side}
        value={filter.side}
        options={optionsOf(words.history.all, TEXTS.side)}
        onChoice={(side) => onFilter({ ...filter, side })}
      />
    </>
  )
}

/** The entries of a table of texts as choices, preceded by one for all. */
export function optionsOf<Value extends string>(
  all: string,
  words: { readonly [Each in Value]: string },
): readonly (readonly [Value | '', string])[] {
  return [['', all], ...(Object.entries(words) as [Value, string][])]
}

function marketOptions(markets: readonly TradedMarket[]): readonly (readonly [string, string])[] {
  return [['', TEXTS.account.history.all], ...markets.map(({ name }) => [name, name] as const)]
}

/** A value that was added to the interface later is shown unchanged. */
export function wordOf(words: { readonly [word: string]: string }, word: string): string {
  return words[word] ?? word
}
