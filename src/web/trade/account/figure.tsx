/**
 * An exact figure of a table: integer digits in groups of three, and faint zeros up to the decimals of its
 * column.
 */
import { groupedText } from '../../shared/grouped-text.ts'
import { zerosBehind } from './places.ts'

type FigureProps = {
  /** An exact decimal; undefined if there is none. */
  readonly value: string | undefined
  /** Decimals of its column. */
  readonly places?: number
}

export function Figure({ value, places = 0 }: FigureProps) {
  if (value === undefined) return <>–</>
  const zeros = zerosBehind(value, places)
  return (
    <>
      {groupedText(value)}
      {zeros !== '' && <span class="zeros">{zeros}</span>}
    </>
  )
}
