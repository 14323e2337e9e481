/**
 * The tables of docs/binance.md, generated from the rows against which requests are checked, and the lines of
 * clients.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { BINANCE_CLIENTS } from '../../src/app/sandbox/binance-lines.ts'
import { REASON_NAMES, type Reason } from '../../src/contract/reasons/catalogue.ts'
import { SESSION_ROWS, type SessionRow } from '../../src/server/binance/api/session-rows.ts'
import { parametersOf, type WireParameter, type WireRow } from '../../src/server/binance/endpoints/row.ts'
import { WIRE_ENDPOINT_IDS, WIRE_ROWS } from '../../src/server/binance/endpoints/table.ts'
import { REASON_CODES } from '../../src/server/binance/wire/reason-codes.ts'

export const BINANCE_PAGE = path.join(import.meta.dir, '..', '..', 'docs', 'binance.md')

const ENDPOINTS = 'binance-endpoints'
const REQUESTS = 'binance-requests'
const CLIENTS = 'binance-clients'
const ERRORS = 'binance-errors'
const SANDBOX_FILE = '/path/to/data/sandbox/sandbox.json'

const SECURITY = { NONE: 'none', USER_DATA: 'signed', TRADE: 'signed, may trade' } as const

/** The page with its parts generated again. */
export function withEndpoints(page: string): string {
  const endpoints = [
    '| Endpoint | WebSocket API | Key | Weight | Parameters | What differs |\n|---|---|---|---|---|---|',
    ...WIRE_ENDPOINT_IDS.map((id) => rowText(WIRE_ROWS[id])),
  ]
  const requests = [
    '| Request | Key | Weight | Parameters | |\n|---|---|---|---|---|',
    ...Object.entries(SESSION_ROWS).map(([name, row]) => requestText(name, row)),
  ]
  const clients = BINANCE_CLIENTS.map(({ name, lines }) =>
    [`\`${name}\`:`, '', '```js', ...lines(SANDBOX_FILE), '```'].join('\n'),
  )
  const withTables = withTable(withTable(page, ENDPOINTS, endpoints), REQUESTS, requests)
  return withTable(withTable(withTables, CLIENTS, [clients.join('\n\n')]), ERRORS, errorLines())
}

function withTable(page: string, name: string, lines: readonly string[]): string {
  const [head, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before, after] = [page.indexOf(head), page.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`docs/binance.md: expected ${head} and ${end}`)
  return `${page.slice(0, before)}${head}\n\n${lines.join('\n')}\n\n${page.slice(after)}`
}

/** Each number and text with the exchange's reasons that map to it, in the order of the numbers. */
function errorLines(): readonly string[] {
  const reasonsByError = new Map<string, Reason[]>()
  const byNumber = REASON_NAMES.toSorted((one, other) => REASON_CODES[other].code - REASON_CODES[one].code)
  for (const reason of byNumber) {
    const { code, msg, status = 400 } = REASON_CODES[reason]
    const text = msg === undefined ? 'ours' : `"${msg}"`
    const row = `| \`${code}\` | ${status} | ${text} |`
    reasonsByError.set(row, [...(reasonsByError.get(row) ?? []), reason])
  }
  const rows = [...reasonsByError].map(
    ([row, reasons]) => `${row} ${reasons.map((reason) => `\`${reason}\``).join(', ')} |`,
  )
  return ['| Number | Status | Text | Reasons |\n|---|---|---|---|', ...rows]
}

export function readBinancePage(): string {
  return readFileSync(BINANCE_PAGE, 'utf8')
}

function rowText(row: WireRow): string {
  const { request, differs = '' } = row
  const name = request === undefined ? '' : `\`${request}\``
  return `| \`${row.method} ${row.path}\` | ${name} | ${common(row)} | ${differs} |`
}

function requestText(name: string, row: SessionRow): string {
  return `| \`${name}\` | ${common(row)} | ${row.about} |`
}

function common(row: SessionRow | WireRow): string {
  const names = Object.entries(parametersOf(row)).map(([name, parameter]) => nameText(name, parameter))
  return `${SECURITY[row.security]} | ${row.weight} | ${names.length === 0 ? 'none' : names.join(', ')}`
}

/** Required ones are bold. */
function nameText(name: string, { isRequired }: WireParameter): string {
  return isRequired ? `**\`${name}\`**` : `\`${name}\``
}
