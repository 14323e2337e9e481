/**
 * A column of exact figures, all of one market or asset with the same number of decimals, so that their
 * points are aligned.
 */
import type { Column } from './columns.tsx'
import { Figure } from './figure.tsx'
import { placesOf } from './places.ts'

type FigureColumnOptions<Row> = {
  readonly head: string
  /** The rows of the table. */
  readonly rows: readonly Row[]
  /** The market or asset of a row's figure. */
  readonly unit: (row: Row) => string
  /** Undefined if the row has none. */
  readonly figure: (row: Row) => string | undefined
  /** Minimum number of decimals for a market or asset. */
  readonly least?: (unit: string) => number
  /** The asset after the figure, if the rows of a table have several. */
  readonly code?: (row: Row) => string
}

export function figureColumn<Row>({
  head,
  rows,
  unit,
  figure,
  least,
  code,
}: FigureColumnOptions<Row>): Column<Row> {
  const places = placesOf(
    rows.map((row) => [unit(row), figure(row)]),
    least,
  )
  return {
    head,
    isFigure: true,
    cell: (row) => (
      <>
        <Figure value={figure(row)} places={places.of(unit(row))} />
        {code !== undefined && figure(row) !== undefined && <Code code={code(row)} />}
      </>
    ),
  }
}

function Code({ code }: { readonly code: string }) {
  return (
    <>
      {' '}
      <span class="figure-code">{code}</span>
    </>
  )
}
