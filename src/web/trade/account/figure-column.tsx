/** A column of exact figures, with as many decimals in each as those of its market or asset have. */
import type { Column } from './columns.tsx'
import { Figure } from './figure.tsx'
import { placesOf } from './places.ts'

type FigureColumnOptions<Row> = {
  readonly head: string
  /** Those of the table. */
  readonly rows: readonly Row[]
  /** The market or asset that a row's figure is of. */
  readonly unit: (row: Row) => string
  /** Undefined: the row has none. */
  readonly figure: (row: Row) => string | undefined
  /** Decimals that figures of a market or asset have in any case. */
  readonly least?: (unit: string) => number
  /** The asset that stands behind the figure, where the rows of a table are in several. */
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
