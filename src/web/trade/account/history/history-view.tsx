/** A history for the user: its filter, a page of it, and the links to other pages. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { TEXTS } from '../../../shared/texts/texts.ts'
import type { AccountBook } from '../../state/account-book.ts'
import { usePaced } from '../../view/paced.ts'
import { type Column, Heads } from '../columns.tsx'
import { ScrollBox } from '../scroll-box.tsx'
import { CsvBar } from './csv-bar.tsx'
import type { History } from './history.ts'
import { type ListPage, PAGES_MAX } from './paged-list.ts'
import { PeriodPicker } from './period-picker.tsx'

const DRAWN_EVERY_MS = 250

type ViewProps<Row, Filter> = {
  readonly title: string
  /** The text for an empty history: a description of the rows. */
  readonly none: string
  readonly account: AccountBook
  readonly history: History<Row, Filter>
  /** The choices besides the period. */
  readonly choices: ComponentChildren
  readonly columnsOf: (rows: readonly Row[]) => readonly Column<Row>[]
  readonly row: (row: Row, columns: readonly Column<Row>[]) => ComponentChildren
}

export function HistoryView<Row, Filter>(props: ViewProps<Row, Filter>) {
  const { title, account, history, choices } = props
  const { history: words } = TEXTS.account
  const { list } = history
  const changes = usePaced(account.changes, DRAWN_EVERY_MS)
  useEffect(() => history.open(), [history, changes])
  const page = list.page.value
  return (
    <section class="history" aria-label={title} aria-busy={list.isReading.value}>
      <div class="history-bar">
        {choices}
        <PeriodPicker
          period={history.period.value}
          problem={history.problem.value}
          onPeriod={(period) => history.setPeriod(period)}
        />
        <CsvBar history={history} />
      </div>
      {list.problem.value !== undefined && (
        <p class="trade-problem" role="alert">
          {words.notRead(list.problem.value)}{' '}
          <button type="button" onClick={() => void history.refresh()}>
            {words.again}
          </button>
        </p>
      )}
      {page !== undefined && page.rows.length > 0 && <Rows {...props} rows={page.rows} />}
      {page === undefined && list.problem.value === undefined && (
        <p class="trade-none">{TEXTS.account.loading}</p>
      )}
      {page !== undefined && page.rows.length === 0 && <p class="trade-none">{noneText(props, page)}</p>}
      <Pages history={history} />
    </section>
  )
}

function noneText<Row, Filter>(
  { history, none }: ViewProps<Row, Filter>,
  { next, lookedAt }: Pick<ListPage<Row>, 'next' | 'lookedAt'>,
): string {
  const { history: words } = TEXTS.account
  if (next !== undefined) return words.noneYet(lookedAt)
  return history.isWhole ? none : words.noneFound
}

type RowsProps<Row, Filter> = ViewProps<Row, Filter> & { readonly rows: readonly Row[] }

function Rows<Row, Filter>({ rows, columnsOf, row }: RowsProps<Row, Filter>) {
  const columns = columnsOf(rows)
  return (
    <ScrollBox>
      <table class="cards">
        <Heads columns={columns} />
        <tbody>{rows.map((each) => row(each, columns))}</tbody>
      </table>
    </ScrollBox>
  )
}

function Pages<Row, Filter>({ history }: { readonly history: History<Row, Filter> }) {
  const { history: words } = TEXTS.account
  const { list } = history
  if (!list.hasPrevious.value && !list.hasNext.value) return null
  return (
    <p class="history-pages">
      <button type="button" disabled={!list.hasPrevious.value} onClick={() => list.goPrevious()}>
        {words.newer}
      </button>
      <span role="status">{words.page(list.number.value)}</span>
      <button
        type="button"
        disabled={!list.hasNext.value}
        aria-busy={list.isReading.value}
        onClick={() => void list.goNext()}
      >
        {words.older}
      </button>
      {(history.hasNewer.value || list.hasPrevious.value) && (
        <button type="button" onClick={() => void history.refresh()}>
          {history.hasNewer.value ? words.newestWaits : words.newest}
        </button>
      )}
      {list.number.value >= PAGES_MAX && <span>{words.pagesEnd}</span>}
    </p>
  )
}
