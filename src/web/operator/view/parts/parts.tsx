/** Small components that all views use. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { type Said, say, shown, type Text } from '../../texts/texts.ts'
import type { Asked } from './asked.ts'
import { useMedia } from './media.ts'

export function Panel({
  title,
  actions,
  children,
}: {
  readonly title: Text | Said
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{shown(title)}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** The answer to a request once it has arrived; before that, the reason why it is missing. */
export function Shown<Result>({
  asked,
  children,
}: {
  readonly asked: Asked<Result>
  readonly children: (result: Result) => ComponentChildren
}) {
  const { result, error } = asked
  if (result === undefined && error === undefined) return <p class="empty-text">{say('Asking the node …')}</p>
  return (
    <>
      {error !== undefined && <Problem reason={error.reason} message={error.message} />}
      {result !== undefined && children(result)}
    </>
  )
}

export function Problem({ reason, message }: { readonly reason: string; readonly message: string }) {
  return (
    <p class="problem" role="alert">
      <strong>{reason}</strong> {shown(message)}
    </p>
  )
}

export type Column<Row> = {
  readonly title: Text | Said
  readonly cell: (row: Row) => ComponentChildren
  /** Figures, aligned at their points. */
  readonly isFigure?: boolean
  /** Text of any length, on as many lines as it needs. */
  readonly isText?: boolean
  /** First on a phone: amounts, and the actions for the row. */
  readonly isFirst?: boolean
}

export type TableParts<Row> = {
  readonly label: Text | Said
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** The text if there are no rows. */
  readonly none: Text | Said
}

/** Rows under headings; on a narrow screen the table itself scrolls. */
export function Table<Row>({ label, columns: all, rows, keyOf, none }: TableParts<Row>) {
  const isPhone = useMedia('(width <= 40rem)')
  const columns = isPhone ? [...all].sort((one, other) => rank(one) - rank(other)) : all
  if (rows.length === 0) return <p class="empty-text">{shown(none)}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <section class="scroll" tabIndex={0} aria-label={say('{label}: table', { label: shown(label) })}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isFigure }) => (
              <th key={title} scope="col" class={isFigure ? 'figure' : undefined}>
                {shown(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isFigure, isText }) => (
                <td key={title} class={isFigure ? 'figure' : isText ? 'text' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function rank({ isFirst }: { readonly isFirst?: boolean }): number {
  return isFirst ? 0 : 1
}

export function Facts({ pairs }: { readonly pairs: readonly (readonly [Text | Said, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{shown(name)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A label and its control. */
export function Labelled({
  label,
  children,
}: {
  readonly label: Text | Said
  readonly children: (id: string) => ComponentChildren
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{shown(label)}</label>
      {children(id)}
    </div>
  )
}

/** The buttons of a search form: search, or show everything again. */
export function SearchButtons() {
  return (
    <div class="actions">
      <button type="submit" class="primary">
        {say('Search')}
      </button>
      <button type="reset">{say('Show all')}</button>
    </div>
  )
}

export type PagerParts = {
  readonly back: Text
  readonly on: Text
  readonly onBack: (() => void) | undefined
  readonly onOn: (() => void) | undefined
}

/** Moves between the pages of a list; without a function that button is disabled. */
export function Pager({ back, on, onBack, onOn }: PagerParts) {
  if (onBack === undefined && onOn === undefined) return null
  return (
    <div class="row pager">
      <button type="button" aria-disabled={onBack === undefined} onClick={() => onBack?.()}>
        {say(back)}
      </button>
      <button type="button" aria-disabled={onOn === undefined} onClick={() => onOn?.()}>
        {say(on)}
      </button>
    </div>
  )
}

/** A word with a sign and a color: the color alone never conveys the meaning. */
export function State({
  word,
  kind,
}: {
  readonly word: Text | Said
  readonly kind: 'good' | 'warn' | 'bad'
}) {
  const sign = { good: '●', warn: '▲', bad: '■' }[kind]
  return (
    <span class={`state ${kind}`}>
      <span aria-hidden="true">{sign}</span> {shown(word)}
    </span>
  )
}
