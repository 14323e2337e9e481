/** The small parts that every view is made of. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Asked } from './asked.ts'

export function Panel({
  title,
  actions,
  children,
}: {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}

/** Whatever was asked, once it is there; before that what is missing, and why. */
export function Shown<Result>({
  asked,
  children,
}: {
  readonly asked: Asked<Result>
  readonly children: (result: Result) => ComponentChildren
}) {
  const { result, error } = asked
  if (result === undefined && error === undefined) return <p class="empty-text">Asking the node …</p>
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
      <strong>{reason}</strong> {message}
    </p>
  )
}

export type Column<Row> = {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Figures, under their points. */
  readonly isFigure?: boolean
  /** Of any length: it takes as many lines as it needs. */
  readonly isText?: boolean
}

export type TableParts<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** What stands there when there is no row. */
  readonly none: string
}

/** Rows under headings; scrolls within itself where the screen is narrow. */
export function Table<Row>({ label, columns, rows, keyOf, none }: TableParts<Row>) {
  if (rows.length === 0) return <p class="empty-text">{none}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be in reach of the keyboard
    <section class="scroll" tabIndex={0} aria-label={`${label}: table`}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, isFigure }) => (
              <th key={title} scope="col" class={isFigure ? 'figure' : undefined}>
                {title}
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

export function Facts({ pairs }: { readonly pairs: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A label and the one control that it names. */
export function Labelled({
  label,
  children,
}: {
  readonly label: string
  readonly children: (id: string) => ComponentChildren
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  )
}

/** The buttons of a form that searches: what is typed, or everything again. */
export function SearchButtons() {
  return (
    <div class="actions">
      <button type="submit" class="primary">
        Search
      </button>
      <button type="reset">Everything</button>
    </div>
  )
}

export type PagerParts = {
  readonly back: string
  readonly on: string
  readonly onBack: (() => void) | undefined
  readonly onOn: (() => void) | undefined
}

/** From page to page of a list; without a function there is none on that side. */
export function Pager({ back, on, onBack, onOn }: PagerParts) {
  if (onBack === undefined && onOn === undefined) return null
  return (
    <div class="row pager">
      <button type="button" aria-disabled={onBack === undefined} onClick={() => onBack?.()}>
        {back}
      </button>
      <button type="button" aria-disabled={onOn === undefined} onClick={() => onOn?.()}>
        {on}
      </button>
    </div>
  )
}

/** A word with a sign and a colour: never by its colour alone. */
export function State({ word, kind }: { readonly word: string; readonly kind: 'good' | 'warn' | 'bad' }) {
  const sign = { good: '●', warn: '▲', bad: '■' }[kind]
  return (
    <span class={`state ${kind}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  )
}
