/** A table that may have thousands of rows. */
import { useSignal } from '@preact/signals'
import { say, shown } from '../../texts/texts.ts'
import { Labelled, Pager, Table, type TableParts } from './parts.tsx'

/** Maximum number of rows drawn at once: thousands of them would block the page. */
const ROWS_MAX = 50

/** A table of any length: it shows one page at a time, and a long one can be filtered by text. */
export function LongTable<Row extends object>({
  textOf = valuesOf,
  ...table
}: TableParts<Row> & {
  /** The text in which the filter searches; by default the values of the row. */
  readonly textOf?: (row: Row) => string
}) {
  const text = useSignal('')
  const page = useSignal(0)
  const { rows, label } = table
  if (rows.length <= ROWS_MAX) return <Table {...table} />
  const wanted = text.value.trim().toLowerCase()
  const found = wanted === '' ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(wanted))
  const last = Math.max(0, Math.ceil(found.length / ROWS_MAX) - 1)
  const current = Math.min(page.value, last)
  const to = (wantedPage: number) => () => {
    page.value = wantedPage
  }
  const first = current * ROWS_MAX
  const end = Math.min(found.length, first + ROWS_MAX)
  return (
    <>
      <search class="row long">
        <Labelled label={say('Find in {label}', { label: shown(label) })}>
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
          {countText({
            first: first + 1,
            end,
            found: found.length,
            all: rows.length,
            isSearch: wanted !== '',
          })}
        </p>
      </search>
      <Table {...table} rows={found.slice(first, end)} none="No row contains this text." />
      <Pager
        back="Previous"
        on="Next"
        onBack={current === 0 ? undefined : to(current - 1)}
        onOn={current === last ? undefined : to(current + 1)}
      />
    </>
  )
}

type Count = {
  readonly first: number
  readonly end: number
  readonly found: number
  readonly all: number
  readonly isSearch: boolean
}

function countText({ first, end, found, all, isSearch }: Count): string {
  const [foundText, allText] = [found.toLocaleString('en-US'), all.toLocaleString('en-US')]
  if (found === 0) return say('None found in {all}', { all: allText })
  if (!isSearch) return say('{first} to {end} of {all}', { first, end, all: allText })
  return say('{first} to {end} of {found}, found in {all}', { first, end, found: foundText, all: allText })
}

function valuesOf(row: object): string {
  return Object.values(row).join('\n')
}
