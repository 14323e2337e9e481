/**
 * The sort column and direction of open orders, for narrow screens, on which the table has no headings.
 */
import type { Signal } from '@preact/signals'
import { TEXTS } from '../../../shared/texts/texts.ts'
import { Choice } from '../history/choice.tsx'
import { headOf } from './order-rows.tsx'
import { ORDER_COLUMNS, type OrderSort, sortedBy } from './order-table.ts'

const DIRECTIONS = ['DESCENDING', 'ASCENDING'] as const

export function SortPicker({ sort }: { readonly sort: Signal<OrderSort> }) {
  const { open } = TEXTS.account
  const { column, isDescending } = sort.value
  return (
    <div class="sort-by">
      <Choice
        label={open.sortBy}
        value={column}
        options={ORDER_COLUMNS.map((each) => [each, headOf(each)] as const)}
        onChoice={(chosen) => {
          sort.value = sortedBy(sort.value, chosen)
        }}
      />
      <Choice
        label={open.direction}
        value={isDescending ? 'DESCENDING' : 'ASCENDING'}
        options={DIRECTIONS.map((each) => [each, open.directions[each]] as const)}
        onChoice={(chosen) => {
          sort.value = { ...sort.value, isDescending: chosen === 'DESCENDING' }
        }}
      />
    </div>
  )
}
