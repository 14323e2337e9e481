/** One choice of a few, with its name above it. */
import { useId } from 'preact/hooks'
import { TEXTS } from '../../../texts/texts.ts'

type ChoiceProps<Value extends string> = {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly onChoice: (value: Value) => void
}

export function Choice<Value extends string>({ label, value, options, onChoice }: ChoiceProps<Value>) {
  const id = useId()
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

/** The words of a table as choices, behind one that takes all. */
export function optionsOf<Value extends string>(
  all: string,
  words: { readonly [Each in Value]: string },
): readonly (readonly [Value | '', string])[] {
  return [['', all], ...(Object.entries(words) as [Value, string][])]
}

export function marketOptions(symbols: readonly string[]): readonly (readonly [string, string])[] {
  return [['', TEXTS.account.history.all], ...symbols.map((symbol) => [symbol, symbol] as const)]
}

/** A word that was added to the interface since is shown as it is. */
export function wordOf(words: { readonly [word: string]: string }, word: string): string {
  return words[word] ?? word
}
