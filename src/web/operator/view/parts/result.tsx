/**
 * The node's answer as tables: a list is a table of rows, a record is a list of facts, and nested values are
 * below it.
 */
import { labelOf } from '../../texts/command-texts.ts'
import { type Said, say } from '../../texts/texts.ts'
import { LongTable } from './long-table.tsx'
import { Facts } from './parts.tsx'
import { valueText } from './value.tsx'

type Fields = Readonly<Record<string, unknown>>

const DECIMAL = /^-?\d+(?:\.\d+)?$/

export function Result({ result }: { readonly result: unknown }) {
  if (Array.isArray(result)) return <Rows label={say('Result')} rows={result} />
  if (typeof result === 'object' && result !== null) return <Record fields={result as Fields} />
  const text = valueText(result)
  return text.includes('\n') ? <pre>{text}</pre> : <p>{text}</p>
}

function Record({ fields }: { readonly fields: Fields }) {
  const entries = Object.entries(fields)
  const simple = entries.filter(([, value]) => !isTable(value) && !isLong(value))
  return (
    <>
      {simple.length > 0 && (
        <Facts pairs={simple.map(([name, value]) => [labelOf(name) as Said, valueText(value)] as const)} />
      )}
      {entries.map(([name, value]) =>
        isTable(value) ? (
          <section key={name}>
            <h3>{labelOf(name)}</h3>
            <Rows label={labelOf(name) as Said} rows={value} />
          </section>
        ) : (
          isLong(value) && <pre key={name}>{value}</pre>
        ),
      )}
    </>
  )
}

function Rows({ label, rows }: { readonly label: Said; readonly rows: readonly unknown[] }) {
  const records: readonly Line[] = rows.map((row, index) => ({ index, fields: recordOf(row) }))
  const names = [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))]
  // A column without a value in any row is left out.
  const told = names.filter((name) => records.some(({ fields }) => valueText(fields[name]) !== '–'))
  return (
    <LongTable<Line>
      label={label}
      rows={records}
      textOf={({ fields }) => Object.values(fields).map(valueText).join('\n')}
      keyOf={({ index }) => index}
      none="Nothing found."
      columns={told.map((name) => ({
        title: labelOf(name) as Said,
        isFigure: records.every(({ fields }) => DECIMAL.test(String(fields[name]))),
        isText: records.some(({ fields }) => valueText(fields[name]).length > 40),
        isFirst: name === 'amount' || name === 'asset',
        cell: ({ fields }) => valueText(fields[name]),
      }))}
    />
  )
}

type Line = { readonly index: number; readonly fields: Fields }

function recordOf(row: unknown): Fields {
  return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Fields) : { value: row }
}

function isTable(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null)
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.includes('\n')
}
