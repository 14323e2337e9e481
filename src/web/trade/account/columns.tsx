/**
 * The columns of a table of the account: figures are aligned right, everything else left, and each heading
 * like its column.
 */
import type { ComponentChildren } from 'preact'

export type Column<Row> = {
  readonly head: string
  readonly isFigure?: boolean
  /** On a narrow screen it takes two lines. */
  readonly isWrapped?: boolean
  readonly cell: (row: Row) => ComponentChildren
  /** The side of an order or a fill, for its color. */
  readonly side?: (row: Row) => string
}

export function Heads<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ head, isFigure }) => (
          <th scope="col" key={head} class={alignment(isFigure)}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Each cell has the name of its column, which a narrow screen shows beside the value. */
export function Cells<Row>({
  columns,
  row,
}: {
  readonly columns: readonly Column<Row>[]
  readonly row: Row
}) {
  return (
    <>
      {columns.map(({ head, isFigure, isWrapped, cell, side }) => (
        <td key={head} data-label={head} data-side={side?.(row)} class={alignment(isFigure)}>
          {isWrapped === true ? <span class="wrapped">{cell(row)}</span> : cell(row)}
        </td>
      ))}
    </>
  )
}

export function alignment(isFigure: boolean | undefined): string | undefined {
  return isFigure === true ? 'number' : undefined
}
