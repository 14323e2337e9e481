/** A table that may have thousands of rows. */
import { useSignal } from '@preact/signals'
import { Labelled, Pager, Table, type TableParts } from './parts.tsx'

/** Rows that are drawn at once: a page with thousands of them would stand still. */
const ROWS_MAX = 50

/** A table of whatever length: a page of it at a time, and only what has the text that is typed, where it is long. */
export function LongTable<Row extends object>({
  textOf = valuesOf,
  ...table
}: TableParts<Row> & {
  /** What is searched in a row; without it its values. */
  readonly textOf?: (row: Row) => string
}) {
  const text = useSignal('')
  const page = useSignal(0)
  const { rows, label } = table
  if (rows.length <= ROWS_MAX) return <Table {...table} />
  const wanted = text.value.trim().toLowerCase()
  const found = wanted === '' ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted))
  const last = Math.max(0, Math.ceil(found.length / ROWS_MAX) - 1)
  const shown = Math.min(page.value, last)
  const to = (wantedPage: number) => () => {
    page.value = wantedPage
  }
  const first = shown * ROWS_MAX
  const end = Math.min(found.length, first + ROWS_MAX)
  return (
    <>
      <search class="row long">
        <Labelled label={`Find in ${label}`}>
          {(id) => (
            <input
              id={id}
              type="search"
              autocomplete="off"
              spellcheck={false}
              value={text.value}
              onInput={({ currentTarget }) => {
                text.value = currentTarget.value
                page.value = 0
              }}
            />
          )}
        </Labelled>
        <p class="help" role="status">
          {found.length === 0 ? 'None' : `${first + 1} to ${end}`} of {found.length.toLocaleString('en-US')}
          {wanted !== '' && ` found in ${rows.length.toLocaleString('en-US')}`}
        </p>
      </search>
      <Table {...table} rows={found.slice(first, end)} none="None has this text." />
      <Pager
        back="Before"
        on="More"
        onBack={shown === 0 ? undefined : to(shown - 1)}
        onOn={shown === last ? undefined : to(shown + 1)}
      />
    </>
  )
}

function valuesOf(row: object): string {
  return Object.values(row).join('\n')
}
